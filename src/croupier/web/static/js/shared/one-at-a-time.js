// Questions to the server that must not overtake each other.

/**
 * Calls that come while `ask` runs are answered by one more run after it.
 *
 * @param {() => Promise<unknown>} ask
 */
export function oneAtATime(ask) {
  let asking = false;
  let again = false;
  return async function run() {
    if (asking) {
      again = true;
      return;
    }
    asking = true;
    try {
      do {
        again = false;
        await ask();
      } while (again);
    } finally {
      asking = false;
    }
  };
}
