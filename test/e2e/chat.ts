import assert from 'node:assert/strict';
import type { FrameLocator, Frame, Locator } from 'playwright-core';

/** Parley's chat page as a screen reader sees it: everything is found by role and name. */
export class Chat {
  /** The page's document. */
  readonly page: FrameLocator | Frame;

  constructor(page: FrameLocator | Frame) {
    this.page = page;
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: 'Message', exact: true });
  }

  get transcript(): Locator {
    return this.page.getByRole('feed', { name: 'Transcript' });
  }

  /** Entries whose accessible name begins with `name`: the speaker or the kind. */
  article(name: string): Locator {
    return this.transcript.getByRole('article', { name: beginsWith(name) });
  }

  toolCall(title: string): Locator {
    return this.article(`Tool call: ${title}`);
  }

  permission(title = ''): Locator {
    return this.page.getByRole('group', { name: beginsWith(`Permission: ${title}`) });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name });
  }

  /** Writes a text into the composer, and sees that it stands there: where the keys of a browser go, VS Code has a say. */
  async write(text: string): Promise<void> {
    await this.message.click();
    await this.message.fill(text);
    assert.equal(await this.message.inputValue(), text, 'What is typed stands in the composer.');
  }

  /** Types a prompt and presses Enter; resolves when it stands in the transcript. */
  async submit(text: string): Promise<void> {
    const sent = this.article('You');
    const alike = sent.filter({ hasText: text });
    const [before, alikeBefore] = [await sent.count(), await alike.count()];
    await this.write(text);
    await this.message.press('Enter');
    // The new message comes to the top, and those far above it leave the page.
    await sent.nth(before).or(alike.nth(alikeBefore)).first().waitFor();
  }

  /** Sends a prompt; resolves when its turn has begun, even if the turn is over by then. Agents may take a minute to start. */
  async send(text: string): Promise<void> {
    try {
      await this.submit(text);
      await this.untilTurnBegins();
    } catch (error) {
      const alerts = await this.page.getByRole('alert').allInnerTexts();
      throw new Error(`No turn began. The page says: ${alerts.join('\n') || 'nothing'}`, { cause: error });
    }
  }

  /** Chooses an option of a permission request with the mouse, as soon as the request takes answers. */
  async answer(title: string, option = 'Allow'): Promise<void> {
    const button = this.permission(title).getByRole('button', { name: beginsWith(option) });
    const more = this.permission(title).getByRole('button', { name: 'More answers', exact: true });
    await button.or(more).first().waitFor();
    const shown = (await button.isVisible()) ? button : more;
    // A request that moves takes no answers for a moment, so it is in its place first.
    await shown.scrollIntoViewIfNeeded();
    await this.untilAnswerable(title);
    await shown.click();
    if (shown === more) await this.page.getByRole('menuitem', { name: beginsWith(option) }).click();
    await this.permission(title).waitFor({ state: 'detached' });
  }

  /** Resolves when a permission request takes answers: for its first half second it takes none, against slips. */
  async untilAnswerable(title: string): Promise<void> {
    await this.permission(title).and(this.page.locator('[data-ready=true]')).waitFor();
  }

  /** Resolves when the last message of the user's is being answered, or was: a turn may be over before it is drawn. */
  private async untilTurnBegins(): Promise<void> {
    const busy = this.page.locator('[role=feed][aria-busy=true]');
    const answered = this.page.locator('[role=feed] article:last-of-type:not([aria-label^="You"])');
    await busy.or(answered).first().waitFor();
  }

  /** Resolves when a turn runs. */
  async untilBusy(timeoutMs = 60_000): Promise<void> {
    await this.page.locator('[role=feed][aria-busy=true]').waitFor({ timeout: timeoutMs });
  }

  /** Resolves when no turn runs. */
  async untilIdle(timeoutMs = 60_000): Promise<void> {
    await this.page.locator('[role=feed][aria-busy=true]').waitFor({ state: 'detached', timeout: timeoutMs });
  }

  /** Resolves when the article's text holds `text`. */
  async untilText(article: Locator, text: string, timeoutMs = 60_000): Promise<void> {
    await article.filter({ hasText: text }).first().waitFor({ timeout: timeoutMs });
  }
}

function beginsWith(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}
