/**
 * One client connection. Invalid SMPP closes only this connection. Every request gets exactly one response
 * unless a behaviour omits it.
 */
import type { Socket } from 'node:net'
import { Cursor, Malformed } from '../smpp/cursor.ts'
import { FrameReader } from '../smpp/frames.ts'
import { GENERIC_NACK, HEADER_BYTES, RESPONSE, command, esme, messageState } from '../smpp/protocol.ts'
import { readBind, readCancel, readQuery, readSubmission } from '../smpp/read.ts'
import type { MessageQuery, SmppSubmission } from '../smpp/read.ts'
import { PduWriter } from '../smpp/write.ts'
import type { BindKind, ConnectedSession, SmscState } from './smsc-state.ts'
import { cancel, currentState } from './queryable-messages.ts'
import { Outbox } from './outbox.ts'
import type { Receipt } from './receipt.ts'
import { handleSubmission } from './handle-submission.ts'
import type { Submitter } from './handle-submission.ts'

const bindKinds = new Map<number, BindKind>([
  [command.bind_transmitter, 'transmitter'],
  [command.bind_receiver, 'receiver'],
  [command.bind_transceiver, 'transceiver'],
])

/** Formats a time as YYMMDDhhmmss in UTC. */
const finalStamp = (at: number): string => new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)

/** Limit of unread output, beyond which the client's requests are not read (back-pressure). */
const MAX_UNREAD_BYTES = 1024 * 1024

export class Session implements ConnectedSession, Submitter {
  systemId = ''
  kind: BindKind | undefined
  readonly #state: SmscState
  readonly #socket: Socket
  readonly #frames = new FrameReader()
  readonly #writer = new PduWriter()
  readonly #outbox: Outbox
  #open = true

  constructor(state: SmscState, socket: Socket) {
    this.#state = state
    this.#socket = socket
    this.#outbox = new Outbox(state, this.#writer)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('drain', () => this.resume())
    // Connection resets are expected; 'close' follows and cleans up.
    socket.on('error', () => undefined)
    socket.on('close', () => this.#closed())
    if (state.paused) socket.pause()
  }

  // ── input ──

  #receive(chunk: Buffer): void {
    if (!this.#open) return
    if (!this.#frames.push(chunk, (bytes, start, end) => this.#handle(bytes, start, end)))
      this.#rejectStream(0)
  }

  /** Responds to an invalid stream with generic_nack, as the specification requires, and closes. */
  #rejectStream(sequence: number): void {
    this.#state.counters.malformed++
    this.#writer.bare(GENERIC_NACK, esme.RINVCMDLEN, sequence)
    this.drop()
  }

  #handle(bytes: Buffer, start: number, end: number): boolean {
    const commandId = bytes.readUInt32BE(start + 4)
    const sequence = bytes.readUInt32BE(start + 12)
    try {
      if (commandId >= RESPONSE) this.#handleResponse(sequence, bytes.readUInt32BE(start + 8))
      else this.#request(commandId, sequence, new Cursor(bytes, start + HEADER_BYTES, end))
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.#rejectStream(sequence)
    }
    return this.#open
  }

  #request(commandId: number, sequence: number, cursor: Cursor): void {
    switch (commandId) {
      case command.submit_sm:
      case command.data_sm:
        if (this.kind === undefined || this.kind === 'receiver') break
        return handleSubmission(this.#state, this, sequence, readSubmission(cursor, commandId))
      case command.query_sm:
        if (this.kind === undefined || this.kind === 'receiver') break
        return this.#query(sequence, readQuery(cursor))
      case command.cancel_sm:
        if (this.kind === undefined || this.kind === 'receiver') break
        return this.#cancel(sequence, readCancel(cursor))
      case command.enquire_link:
        return this.#respond(commandId, esme.ROK, sequence)
      case command.unbind:
        this.#respond(commandId, esme.ROK, sequence)
        return this.#end()
      case command.bind_receiver:
      case command.bind_transmitter:
      case command.bind_transceiver:
        return this.#bind(commandId, sequence, cursor)
      default:
        this.#writer.bare(GENERIC_NACK, esme.RINVCMDID, sequence)
        return this.#state.scheduleFlush(this)
    }
    this.#respond(commandId, esme.RINVBNDSTS, sequence)
  }

  #bind(commandId: number, sequence: number, cursor: Cursor): void {
    const { systemId, password } = readBind(cursor)
    const expected = this.#state.options
    if (this.kind !== undefined) return this.#respond(commandId, esme.RALYBND, sequence)
    if (expected.systemId === undefined ? systemId.length > 15 : systemId !== expected.systemId) {
      return this.#respond(commandId, esme.RINVSYSID, sequence)
    }
    // Some carriers issue passwords longer than the specified 8 characters, so a configured one can be
    // longer.
    if (expected.password === undefined ? password.length > 8 : password !== expected.password) {
      return this.#respond(commandId, esme.RINVPASWD, sequence)
    }
    this.systemId = systemId
    this.kind = bindKinds.get(commandId)
    this.#state.counters.binds++
    this.#writer.bindResponse(commandId, sequence, 'postern-smsc')
    this.#state.scheduleFlush(this)
    if (this.kind === 'transmitter') return
    const mailbox = this.#state.mailbox(systemId)
    mailbox.join(this)
    this.#state.schedulePump(mailbox)
  }

  #query(sequence: number, query: MessageQuery): void {
    this.#state.counters.queries++
    const message = this.#state.queryable.find(query)
    if (message === undefined) return this.#respond(command.query_sm, esme.RINVMSGID, sequence)
    const state = currentState(message, Date.now())
    const isFinal = state !== 'ENROUTE'
    const finalDate = isFinal ? `${finalStamp(message.finalAt)}000+` : ''
    const error = isFinal ? Number(message.error) : 0
    this.#writer.queryResponse(sequence, query.messageId, finalDate, messageState[state], error)
    this.#state.scheduleFlush(this)
  }

  #cancel(sequence: number, query: MessageQuery): void {
    this.#state.counters.cancels++
    const message = this.#state.queryable.find(query)
    if (message === undefined) return this.#respond(command.cancel_sm, esme.RINVMSGID, sequence)
    const commandStatus = cancel(message, Date.now()) ? esme.ROK : esme.RCANCELFAIL
    this.#respond(command.cancel_sm, commandStatus, sequence)
  }

  #handleResponse(sequence: number, commandStatus: number): void {
    // The window has room for the next receipt.
    if (this.#outbox.handleResponse(sequence, commandStatus))
      this.#state.schedulePump(this.#state.mailbox(this.systemId))
  }

  // ── output ──

  #respond(commandId: number, commandStatus: number, sequence: number): void {
    this.#writer.bare((commandId | RESPONSE) >>> 0, commandStatus, sequence)
    this.#state.scheduleFlush(this)
  }

  answer(submission: SmppSubmission, sequence: number, messageId: string): void {
    if (!this.#open) return
    this.#writer.submitResponse(submission.commandId, sequence, messageId)
    this.#state.scheduleFlush(this)
  }

  refuse(submission: SmppSubmission, sequence: number, commandStatus: number): void {
    this.#respond(submission.commandId, commandStatus, sequence)
  }

  get silent(): boolean {
    return this.#outbox.silent
  }

  hasCapacity(): boolean {
    return this.#outbox.size < this.#state.options.window
  }

  sendReceipt(receipt: Receipt): void {
    this.#outbox.send(receipt)
    this.#state.scheduleFlush(this)
  }

  takeUnanswered(before?: number): Receipt[] {
    return this.#outbox.takeUnanswered(before)
  }

  flush(): void {
    this.#writer.flush(this.#socket)
    if (this.#socket.writableLength > MAX_UNREAD_BYTES) this.#socket.pause()
  }

  // ── lifecycle ──

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    if (this.#state.paused) return
    // Responses that arrived during a pause have not been read yet, so their timeout starts now.
    if (this.#socket.isPaused()) this.#outbox.restartTimeouts()
    this.#socket.resume()
  }

  /** Closes the connection after the pending output is written. */
  drop(): void {
    this.#state.counters.disconnects++
    this.#end()
  }

  /** Closes the connection immediately. */
  destroy(): void {
    this.#state.counters.disconnects++
    this.#socket.destroy()
    this.#closed()
  }

  #end(): void {
    this.flush()
    this.#socket.destroySoon()
    this.#closed()
  }

  #closed(): void {
    if (!this.#open) return
    this.#open = false
    this.#state.removeSession(this, this.kind === undefined ? undefined : this.systemId)
  }
}
