const KEPT = 500

/**
 * Tells one's own words, when they come back, from somebody else's. What is typed comes back through the page's state a
 * moment later; by then more may have been typed, and the older text must not be written over the newer.
 */
export class Echoes {
  private pending: string[] = []

  said(text: string): void {
    this.pending.push(text)
    if (this.pending.length > KEPT) this.pending.shift()
  }

  /** True when the text is an echo; those before it will not come any more. */
  heard(text: string): boolean {
    const at = this.pending.indexOf(text)
    if (at < 0) {
      this.pending = []
      return false
    }
    this.pending.splice(0, at + 1)
    return true
  }
}
