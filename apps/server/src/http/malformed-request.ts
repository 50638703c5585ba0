import type { Socket } from 'node:net';
import { ERRORS, errorMessage, type Failure } from '@kervan/contract';
import { uuidv7 } from '../lib/ids.ts';

/** Answers bytes that are not HTTP at all, which no route or hook ever sees, with the same envelope. */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy();
    return;
  }
  const body: Failure = {
    success: false,
    data: null,
    error: {
      code: 'REQUEST_INVALID',
      message: errorMessage('REQUEST_INVALID'),
      context: {},
      requestId: uuidv7(),
    },
    meta: {},
  };
  const text = JSON.stringify(body);
  socket.end(
    `HTTP/1.1 ${ERRORS.REQUEST_INVALID.status} Bad Request\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
