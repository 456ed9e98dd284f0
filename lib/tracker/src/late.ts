// The click of a page without the inline script, started late: by the provider, or by script.js.
import { withoutSlash } from './base-url.ts';
import { type CaptureConfig, startCapture as start } from './capture.ts';

/** `TrackerScript` gives the inline script the address without a slash itself. */
export const startCapture = ({ baseUrl = '', ...config }: CaptureConfig): void =>
  start({ ...config, baseUrl: withoutSlash(baseUrl) });
