// Commands of the player, one after the other.

const PATIENCE = 2500; // milliseconds until the table is asked how it stands

/** Sends one command at a time, and waits for the frame that shows what became of it. */
export class Sending {
  #working = false;
  #awaited = 0;
  /** @type {any} */ #next = null;

  /**
   * `version()` is the one on the screen, `look()` asks the table, `onChange()` draws, `onRefused(problem)` explains.
   *
   * @param {{ version: () => number, look: () => Promise<boolean>, onChange: () => void, onRefused: (problem: any) => void }} uses
   */
  constructor({ version, look, onChange, onRefused }) {
    this.version = version;
    this.look = look;
    this.onChange = onChange;
    this.onRefused = onRefused;
  }

  /** A command is on its way, or what it did is not seen here yet. */
  get busy() {
    return this.#working || this.version() < this.#awaited;
  }

  /**
   * What is asked for meanwhile waits, and is dropped when it no longer `applies`.
   *
   * @param {() => Promise<any>} work
   * @param {() => boolean} applies
   */
  async send(work, applies = () => true) {
    if (this.busy) {
      this.#next = { work, applies };
      return;
    }
    this.#working = true;
    this.onChange();
    try {
      this.#awaited = (await work())?.version ?? 0;
    } catch (problem) {
      this.onRefused(problem);
    } finally {
      this.#working = false;
      this.onChange();
      this.goOn();
      if (this.busy) setTimeout(() => this.#ask(this.#awaited), PATIENCE);
    }
  }

  /** A frame has come: the next command, if one waits. */
  goOn() {
    if (this.busy || !this.#next) return;
    const { work, applies } = this.#next;
    this.#next = null;
    if (applies()) this.send(work, applies);
  }

  /**
   * A frame that does not come: ask how the table stands.
   *
   * @param {number} version
   */
  async #ask(version) {
    if (this.version() >= version) return;
    if (!(await this.look())) setTimeout(() => this.#ask(version), PATIENCE);
  }
}
