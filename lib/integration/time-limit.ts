// A timeout for calls that have none: the database, the tracking service, Clerk.

/** Rejects with a `TimeoutError` if `promise` takes longer. The work itself is not canceled; its result is ignored. */
export function within<T>(milliseconds: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const error = Object.assign(new Error(`no response within ${milliseconds} ms`), { name: 'TimeoutError' });
    const timer = setTimeout(() => reject(error), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
