/** A door in front of waiting callers. */
export interface Gate {
  open(): void;
  shut(): void;
  /** Everyone who waits, and whoever comes later, gets this error. */
  fail(error: unknown): void;
  /** Resolves while the gate is open: what follows the `await` without a pause runs before it can be shut. */
  pass(): Promise<void>;
}

/** A gate, shut at first. */
export function createGate(): Gate {
  let isOpen = false;
  let door = newDoor();
  return {
    open() {
      isOpen = true;
      door.resolve();
    },
    shut() {
      if (!isOpen) return;
      isOpen = false;
      door = newDoor();
    },
    fail: (error) => door.reject(error),
    async pass() {
      // Shut between the opening and this caller's turn, the gate holds it back again.
      for (let passed; passed !== door;) {
        passed = door;
        await passed.promise;
      }
    },
  };
}

function newDoor(): PromiseWithResolvers<void> {
  const door = Promise.withResolvers<void>();
  // A failed gate that nobody waits at is not an unhandled rejection.
  door.promise.catch(() => undefined);
  return door;
}
