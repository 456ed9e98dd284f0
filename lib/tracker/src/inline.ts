// The entry of the inline script, a module: docs/decisions/0011-tracker-script.md. Its settings stand on its own element, so
// that its text, and with it its hash, is the same for every program.
import { type CaptureConfig, startCapture } from './capture.ts';

// A module has no currentScript.
startCapture((document.querySelector('script[data-click-url]') as HTMLElement).dataset as DOMStringMap & CaptureConfig);
