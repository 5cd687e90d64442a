/**
 * One TCP or TLS connection that carries PDUs. It opens within a time limit, coalesces what is sent, cuts and
 * decodes what comes, can stop listening (back-pressure), and closes without leaving a handle behind. It
 * knows no session states and answers nothing by itself.
 */
import type { Socket } from 'node:net'
import type { EncodableBody } from './codec.ts'
import { decode } from './codec.ts'
import { Framer } from './framer.ts'
import { Outbox } from './outbox.ts'
import type { Kind, Pdu } from './pdu.ts'
import { PduError } from './pdu.ts'

export interface WireEvents {
  onOpen(): void
  onPdu(pdu: Pdu): void
  /** The stream has no meaning any more; the receiver should say so to the peer and call `end`. */
  onMalformed(error: PduError): void
  /** At most once, and never after `end` was called: the connection is gone. */
  onGone(reason: string): void
}

/** A peer that keeps asking and never reads our answers must not fill our memory. */
const maxBacklogBytes = 8 * 1024 * 1024
const keepAliveMs = 60_000
/** How long the peer may take to read our last words before the socket is torn down. */
const lingerMs = 1000

export class Wire {
  /** Resolves when the socket is closed for good. */
  readonly closed: Promise<void>
  readonly #socket: Socket
  readonly #events: WireEvents
  readonly #framer: Framer
  readonly #outbox = new Outbox()
  #received = 0
  #flush: NodeJS.Immediate | null = null
  #ended = false
  #paused = false
  #reading = false
  #pausedAt = 0
  #deafMs = 0
  #timer: NodeJS.Timeout

  /** `openEvent` is `connect`, or `secureConnect` when the socket is TLS. */
  constructor(
    socket: Socket,
    openEvent: 'connect' | 'secureConnect',
    limits: { readonly connectTimeoutMs: number; readonly maxPduBytes: number },
    events: WireEvents,
  ) {
    this.#socket = socket
    this.#events = events
    this.#framer = new Framer(limits.maxPduBytes)
    let failure = ''
    socket.once(openEvent, () => {
      clearTimeout(this.#timer)
      if (!this.#ended) events.onOpen()
    })
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    // The error of several addresses tried in vain has a code and no message.
    socket.on('error', (error: NodeJS.ErrnoException) => (failure = error.message || (error.code ?? '')))
    socket.on('end', () => {
      if (!this.#ended) this.#drop('closed by the carrier')
    })
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        clearTimeout(this.#timer)
        this.#gone(failure === '' ? 'connection closed' : failure)
        resolve()
      })
    })
    this.#timer = setTimeout(() => this.#drop('connect timeout'), limits.connectTimeoutMs)
    socket.setNoDelay(true)
    socket.setKeepAlive(true, keepAliveMs)
  }

  /** PDUs received so far: any of them proves that the peer is alive. */
  get received(): number {
    return this.#received
  }

  /** Octets ever queued and ever handed to the socket; the difference surely never left. */
  get queued(): number {
    return this.#outbox.queued
  }

  get handedOver(): number {
    return this.#outbox.taken
  }

  /**
   * A clock that stands still while we do not listen: an answer that we refuse to hear is not late, and
   * silence that we cause ourselves says nothing about the peer.
   */
  listenedMs(): number {
    return (this.#paused ? this.#pausedAt : performance.now()) - this.#deafMs
  }

  /** Queues one PDU. Throws PduError, and queues nothing, when a field cannot be encoded. */
  send<K extends Kind>(
    kind: K,
    commandStatus: number,
    sequence: number,
    body: NoInfer<EncodableBody<K>>,
  ): void {
    if (this.#ended) return
    this.#outbox.put(kind, commandStatus, sequence, body)
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
    this.#deafMs += performance.now() - this.#pausedAt
    this.#paused = false
    this.#socket.resume()
    this.#read()
  }

  /** Takes back what is queued and was not handed to the socket. */
  discard(): void {
    this.#outbox.discard()
  }

  /** Says what is queued, then closes, at the latest after `lingerMs`. */
  end(): void {
    if (this.#ended) return
    this.#flushNow()
    this.#ended = true
    if (this.#socket.connecting) this.#socket.destroy()
    else this.#socket.end()
    // Unread octets would turn our close into a reset and eat our last words.
    this.#socket.resume()
    clearTimeout(this.#timer)
    if (!this.#socket.destroyed) this.#timer = setTimeout(() => this.#socket.destroy(), lingerMs)
  }

  #flushNow(): void {
    if (this.#flush !== null) clearImmediate(this.#flush)
    this.#flush = null
    if (this.#ended) return
    for (const octets of this.#outbox.take()) this.#socket.write(octets)
    if (this.#socket.writableLength > maxBacklogBytes) this.#drop('the carrier does not read')
  }

  #take(chunk: Buffer): void {
    if (this.#ended) return
    this.#framer.push(chunk)
    this.#read()
  }

  // Handling a PDU may pause, resume or end this wire, so all three are looked at before each one.
  #read(): void {
    if (this.#reading) return
    this.#reading = true
    try {
      while (!this.#paused && !this.#ended) {
        const frame = this.#framer.next()
        if (frame === null) return
        const pdu = decode(frame)
        this.#received += 1
        this.#events.onPdu(pdu)
      }
    } catch (error) {
      if (!(error instanceof PduError)) throw error
      this.#events.onMalformed(error)
    } finally {
      this.#reading = false
    }
  }

  #drop(reason: string): void {
    this.#gone(reason)
    this.#socket.destroy()
  }

  #gone(reason: string): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#flush !== null) clearImmediate(this.#flush)
    this.#flush = null
    this.#events.onGone(reason)
  }
}
