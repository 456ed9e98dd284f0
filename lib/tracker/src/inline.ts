// The entry of the inline script: its settings stand on its own element, so that its text, and with it its hash, is the
// same in every program.
import { startCapture } from './capture.ts';

const { programId = '', baseUrl } = document.currentScript?.dataset ?? {};
startCapture({ programId, baseUrl });
