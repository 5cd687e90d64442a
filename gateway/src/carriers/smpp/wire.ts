/**
 * One TCP or TLS connection for PDUs. Connects within a time limit, coalesces writes, frames and decodes received octets,
 * can pause reading (back-pressure), and closes without leaving a handle behind. Has no session states and sends only what
 * the session queues.
 */
import type { Socket } from 'node:net'
import type { EncodableBody } from './codec.ts'
import { decodePdu } from './codec.ts'
import { Framer } from './framer.ts'
import { WriteBuffer } from './write-buffer.ts'
import type { PduKind, Pdu } from './pdu.ts'
import { PduError } from './pdu.ts'

export interface WireEvents {
  onOpen(): void
  onPdu(pdu: Pdu): void
  /**
   * Called for octets that are not a valid PDU. `commandId` is null if the length is invalid: the rest of the stream is
   * unreadable, and the session must call `end`. Otherwise reading continues with the next PDU.
   */
  onMalformed(error: PduError, commandId: number | null): void
  /** The connection was lost. Called at most once, and never after `end`. */
  onClosed(reason: string): void
}

export interface WireLimits {
  readonly connectTimeoutMs: number
  readonly maxPduBytes: number
  /** Limits the memory used for a peer that sends requests and never reads the responses. */
  readonly maxBacklogBytes?: number
  /** Name of the peer in reasons. */
  readonly peer?: string
}

const defaultBacklogBytes = 8 * 1024 * 1024
const keepAliveMs = 60_000
/** Time for the peer to read the last PDUs before the socket is destroyed. */
const lingerMs = 1000

export class Wire {
  /** Resolves when the socket is closed. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #events: WireEvents
  readonly #framer: Framer
  readonly #buffer = new WriteBuffer()
  #received = 0
  #flush: NodeJS.Immediate | null = null
  #ended = false
  #paused = false
  #reading = false
  #pausedAt = 0
  #pausedMs = 0
  #timer: NodeJS.Timeout | undefined
  readonly #peer: string
  readonly #maxBacklogBytes: number

  /** `openEvent` is `connect`, `secureConnect` for TLS, or null for a socket that is already open. */
  constructor(
    socket: Socket,
    openEvent: 'connect' | 'secureConnect' | null,
    limits: WireLimits,
    events: WireEvents,
  ) {
    this.#socket = socket
    this.#events = events
    this.#framer = new Framer(limits.maxPduBytes)
    this.#peer = limits.peer ?? 'the carrier'
    this.#maxBacklogBytes = limits.maxBacklogBytes ?? defaultBacklogBytes
    let failure = ''
    if (openEvent !== null) {
      socket.once(openEvent, () => {
        clearTimeout(this.#timer)
        if (!this.#ended) events.onOpen()
      })
      this.#timer = setTimeout(() => this.#drop('connect timeout'), limits.connectTimeoutMs)
    }
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    // If all addresses of a host fail, the error has a code and no message.
    socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.message || (error.code ?? '')))
    socket.on('end', () => {
      if (!this.#ended) this.#drop(`closed by ${this.#peer}`)
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(this.#timer)
        this.#lost(failure === '' ? 'connection closed' : failure)
        resolve()
      })
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, keepAliveMs)
  }

  /** Number of PDUs received so far. Each proves that the peer is alive. */
  get received(): number {
    return this.#received
  }

  /** Octets queued so far. Those above `writtenBytes` were never sent. */
  get queuedBytes(): number {
    return this.#buffer.queued
  }
  /** Octets passed to the socket so far. */
  get writtenBytes(): number {
    return this.#buffer.taken
  }

  /** Returns milliseconds of a clock that stops while reading is paused: a response that we do not read is not late. */
  activeMs(): number {
    return (this.#paused ? this.#pausedAt : performance.now()) - this.#pausedMs
  }

  /** Queues one PDU. Throws PduError and queues nothing if a field cannot be encoded. */
  send<K extends PduKind>(
    kind: K,
    commandStatus: number,
    sequence: number,
    body: NoInfer<EncodableBody<K>>,
  ): void {
    if (this.#ended) return
    this.#buffer.put(kind, commandStatus, sequence, body)
    this.#flush ??= setImmediate(() => this.#flushNow())
  }

  pause(): void {
    if (this.#paused) return
    this.#pausedAt = performance.now()
    this.#paused = true
    this.#socket.pause()
  }

  resume(): void {
    if (!this.#paused) return
    this.#pausedMs += performance.now() - this.#pausedAt
    this.#paused = false
    this.#socket.resume()
    this.#read()
  }

  /** Drops queued octets that were not written to the socket. */
  discard(): void {
    this.#buffer.discard()
  }

  /** Writes queued octets, then closes within `lingerMs`. */
  end(): void {
    if (this.#ended) return
    this.#flushNow()
    this.#ended = true
    if (this.#socket.connecting) this.#socket.destroy()
    else this.#socket.end()
    // Unread octets would turn the close into a reset, and the peer would lose the last PDUs.
    this.#socket.resume()
    clearTimeout(this.#timer)
    if (!this.#socket.destroyed) this.#timer = setTimeout(() => this.#socket.destroy(), lingerMs)
  }

  #flushNow(): void {
    if (this.#flush !== null) clearImmediate(this.#flush)
    this.#flush = null
    if (this.#ended) return
    for (const octets of this.#buffer.take()) this.#socket.write(octets)
    if (this.#socket.writableLength > this.#maxBacklogBytes)
      this.#drop(`${this.#peer} does not read our responses`)
  }

  #receive(chunk: Buffer): void {
    if (this.#ended) return
    this.#framer.push(chunk)
    this.#read()
  }

  // The handler of a PDU can pause, resume or end this connection, so the flags are checked before each one.
  #read(): void {
    if (this.#reading) return
    this.#reading = true
    try {
      while (!this.#paused && !this.#ended) {
        const frame = this.#attempt(() => this.#framer.next(), null)
        if (frame === null) return
        const pdu = this.#attempt(() => decodePdu(frame), frame)
        if (pdu === null) continue
        this.#received += 1
        this.#events.onPdu(pdu)
      }
    } finally {
      this.#reading = false
    }
  }

  #attempt<T>(read: () => T, frame: Buffer | null): T | null {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof PduError)) throw error
      this.#events.onMalformed(error, frame === null ? null : frame.readUInt32BE(4))
      return null
    }
  }

  #drop(reason: string): void {
    this.#lost(reason)
    this.#socket.destroy()
  }

  #lost(reason: string): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#flush !== null) clearImmediate(this.#flush)
    this.#flush = null
    this.#events.onClosed(reason)
  }
}
