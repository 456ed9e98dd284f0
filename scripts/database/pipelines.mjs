/**
 * Keeps one connection's pipeline (Parse, Bind, … up to Sync) in one piece, and its responses in one packet.
 *
 * The socket server queues every message by itself, and all connections share PGlite's one session: without this, another
 * connection's Parse comes between a Parse and its Bind, and a statement runs with another connection's parameters. The
 * server already lets a connection finish what it has begun while `isInTransaction` says so; an unfinished pipeline now
 * counts as begun. It also writes each message's response by itself, and the client pays for every packet it reads.
 */

/** @param {string} letters types of messages */
const types = (letters) => new Set([...letters].map((letter) => letter.charCodeAt(0)));
const PIPELINED = types('PBDECH');
/** What a client waits for only after the Sync. A Flush asks for the responses now. */
const ANSWERED_LATER = types('PBDEC');
const LONGEST_PACKET = 65_536;

/** @param {import('@electric-sql/pglite').PGlite} db changed in place */
export function keepPipelinesWhole(db) {
  let isPipelineOpen = false;
  /** @type {Uint8Array[]} */
  let responses = [];
  const isInTransaction = db.isInTransaction.bind(db);
  const execProtocolRawStream = db.execProtocolRawStream.bind(db);
  const exec = db.exec.bind(db);

  db.isInTransaction = () => isPipelineOpen || isInTransaction();
  db.execProtocolRawStream = async (message, options) => {
    const type = message[0] ?? 0;
    isPipelineOpen = PIPELINED.has(type);
    let length = responses.reduce((sum, { length }) => sum + length, 0);
    const send = () => {
      if (length > 0) options?.onRawData?.(Buffer.concat(responses));
      [responses, length] = [[], 0];
    };
    const onRawData = (/** @type {Uint8Array} */ data) => {
      responses.push(data.slice()); // PGlite uses the memory again
      length += data.length;
      if (length > LONGEST_PACKET) send();
    };
    await execProtocolRawStream(message, { ...options, onRawData }).catch((error) => {
      responses = []; // of a connection that the server closes now
      throw error;
    });
    if (!ANSWERED_LATER.has(type)) send();
  };
  // The server rolls back for a connection that has gone in the middle.
  db.exec = (query, options) => {
    isPipelineOpen = false;
    responses = [];
    return exec(query, options);
  };
}
