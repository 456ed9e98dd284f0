/**
 * Keeps one connection's pipeline (Parse, Bind, … up to Sync) in one piece. The socket server queues every message by
 * itself, and all connections share PGlite's one session: without this, another connection's Parse comes between a Parse
 * and its Bind, and a statement runs with another connection's parameters. The server already lets a connection finish what it
 * has begun while `isInTransaction` says so; an unfinished pipeline now counts as begun.
 */

const PIPELINED = new Set([...'PBDECH'].map((letter) => letter.charCodeAt(0)));

/** @param {import('@electric-sql/pglite').PGlite} db changed in place */
export function keepPipelinesWhole(db) {
  let isPipelineOpen = false;
  const isInTransaction = db.isInTransaction.bind(db);
  const execProtocolRawStream = db.execProtocolRawStream.bind(db);
  const exec = db.exec.bind(db);

  db.isInTransaction = () => isPipelineOpen || isInTransaction();
  db.execProtocolRawStream = (message, options) => {
    isPipelineOpen = PIPELINED.has(message[0] ?? 0);
    return execProtocolRawStream(message, options);
  };
  // The server rolls back for a connection that has gone in the middle.
  db.exec = (query, options) => {
    isPipelineOpen = false;
    return exec(query, options);
  };
}
