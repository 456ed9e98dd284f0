// The entry of the inline script. Its settings stand on its own element, so that its text, and with it its hash, is the
// same for every program.
import { startCapture, type TrackerConfig } from './capture.ts';

const { dataset } = document.currentScript as HTMLScriptElement;
startCapture(dataset as DOMStringMap & TrackerConfig);
