// The click of a page without the inline script, started late: by the provider, or by script.js. A module of its own, so that
// pages with the inline script do not load it.
import { type CaptureConfig, startCapture as start } from './capture.ts';
import { withoutSlash } from './wire.ts';

/** `TrackerScript` gives the inline script the address without a slash itself. */
export const startCapture = ({ baseUrl = '', ...config }: CaptureConfig): void =>
  start({ ...config, baseUrl: withoutSlash(baseUrl) });
