/** Messages to be taken one by one when they are wanted; those that come before wait. */
export class Inbox<Message> {
  readonly #messages: Message[] = []
  #isClosed = false
  #wake = () => {}

  put(message: Message): void {
    this.#messages.push(message)
    this.#wake()
  }

  /** No more will come. */
  close(): void {
    this.#isClosed = true
    this.#wake()
  }

  /** The next one; undefined after the last. */
  async next(): Promise<Message | undefined> {
    while (this.#messages.length === 0 && !this.#isClosed) {
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
    return this.#messages.shift()
  }
}
