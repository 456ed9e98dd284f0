// Plays a walk at a pace that people can read: a caption at the bottom of the page, a frame around what is about to be used,
// and a frame of the film for each moment that matters.
import type { Locator, Page } from '@playwright/test';
import type { Frame } from './animated-webp';

const QUALITY = 60;

export type Narrator = {
  /** Shows a caption for as long as it takes to read it, in the terminal as well. */
  say: (caption: string) => Promise<void>;
  /** Frames a control, then uses it. */
  use: (control: Locator, action: (control: Locator) => Promise<void>) => Promise<void>;
  frames: Frame[];
};

type Options = {
  /** 1 is reading speed, 2 twice as fast. */
  pace: number;
  isFilming: boolean;
  /** Without a viewer nothing waits. */
  isWatched: boolean;
};

export function narrate(page: Page, { pace, isFilming, isWatched }: Options): Narrator {
  const frames: Frame[] = [];

  const hold = async (milliseconds: number) => {
    if (isWatched) await page.waitForTimeout(milliseconds / pace);
    if (!isFilming) return;
    const devtools = await page.context().newCDPSession(page);
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    await devtools.detach();
    frames.push({ webp: Buffer.from(data, 'base64'), milliseconds: milliseconds / pace });
  };

  return {
    frames,
    async say(caption) {
      console.log(caption);
      await page.evaluate(showCaption, caption);
      await hold(1_200 + caption.length * 35);
    },
    async use(control, action) {
      await control.scrollIntoViewIfNeeded();
      await control.evaluate((element) => element.style.setProperty('outline', '3px solid #e5484d'));
      await hold(700);
      await control.evaluate((element) => element.style.removeProperty('outline'));
      await action(control);
    },
  };
}

/** Runs in the page. */
function showCaption(text: string): void {
  const id = 'walkthrough-caption';
  const caption = document.getElementById(id) ?? document.body.appendChild(document.createElement('div'));
  caption.id = id;
  caption.textContent = text;
  caption.style.cssText =
    'position:fixed;inset:auto 0 0 0;z-index:2147483647;padding:14px 24px;background:#111;color:#fff;' +
    'font:600 18px/1.45 system-ui,sans-serif;text-align:center;pointer-events:none';
}
