/**
 * Says to those who work for somebody that nobody waits any more. As AbortController, of which it does what is needed
 * here: each AbortSignal of Node 20 keeps itself, and all that a request made, alive until the next collection of the
 * whole heap, so that every small collection has more to copy.
 */

/** What is asked and listened to. An AbortSignal is one too. */
export interface CancelSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** One thing that can be cancelled, once. */
export class Canceller {
  readonly signal = new Signal();

  /** Calls each listener once; again: nothing. */
  abort(): void {
    if (this.signal.aborted) return;
    this.signal.aborted = true;
    for (const listener of this.signal.listeners.splice(0)) listener();
  }
}

class Signal implements CancelSignal {
  aborted = false;
  readonly listeners: (() => void)[] = [];

  addEventListener(_type: "abort", listener: () => void): void {
    if (!this.aborted && !this.listeners.includes(listener)) this.listeners.push(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    const at = this.listeners.indexOf(listener);
    if (at >= 0) this.listeners.splice(at, 1);
  }
}
