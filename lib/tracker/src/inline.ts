// The entry of the inline script, a module: docs/decisions/0011-tracker-script.md. Its settings are attributes of its
// element, so that its text and its hash are the same for every program.
import { type CaptureConfig, startCapture } from './capture.ts';

// A module has no currentScript.
startCapture((document.querySelector('script[data-click-url]') as HTMLElement).dataset as DOMStringMap & CaptureConfig);
