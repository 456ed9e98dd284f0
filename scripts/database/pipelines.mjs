import { protocol } from '@electric-sql/pglite';

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

const [PARSE, CLOSE, STATEMENT] = [...'PCS'].map((letter) => letter.charCodeAt(0));

/** The text that begins at `start`, up to a NUL. @param {Uint8Array} message @param {number} start */
const textAt = (message, start) => Buffer.from(message.subarray(start, message.indexOf(0, start))).toString();

/**
 * Frees a connection's prepared statements once it has ended: the session that all connections share ends with the database.
 * @param {import('@electric-sql/pglite-socket').PGLiteSocketServer} server changed in place
 */
export function freeStatements(server) {
  // Private, but only the queue knows which connection has sent a message, and which has ended.
  const queue = Reflect.get(server, 'queryQueue');
  const enqueue = queue.enqueue.bind(queue);
  const clearTransactionIfNeeded = queue.clearTransactionIfNeeded.bind(queue);
  /** The ID of the connection by the name of the statement. @type {Map<string, number>} */
  const owners = new Map();

  queue.enqueue = (/** @type {number} */ id, /** @type {Uint8Array} */ message, /** @type {unknown} */ onData) => {
    if (message[0] === PARSE) {
      const name = textAt(message, 5); // empty for a statement that the next one replaces
      if (name && !owners.has(name)) owners.set(name, id);
    } else if (message[0] === CLOSE && message[5] === STATEMENT) {
      const name = textAt(message, 6);
      if (owners.get(name) === id) owners.delete(name);
    }
    return enqueue(id, message, onData);
  };
  queue.clearTransactionIfNeeded = async (/** @type {number} */ id) => {
    await clearTransactionIfNeeded(id);
    const own = [...owners.keys()].filter((name) => owners.get(name) === id);
    if (own.length === 0) return;
    for (const name of own) owners.delete(name);
    const closes = own.map((name) => protocol.serialize.close({ type: 'S', name }));
    for (const message of [...closes, protocol.serialize.sync()]) enqueue(id, message, () => {}).catch(() => {}); // the database may be closed by now
  };
}
