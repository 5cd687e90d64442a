/**
 * One client connection, from accept to close. Promises that bytes which are not SMPP end the connection and
 * nothing else, and that every request gets exactly one response unless a behaviour says otherwise.
 */
import type { Socket } from 'node:net'
import { Cursor, Malformed } from '../smpp/cursor.ts'
import { FrameReader } from '../smpp/frames.ts'
import { GENERIC_NACK, HEADER_BYTES, RESPONSE, command, esme } from '../smpp/protocol.ts'
import { readBind, readSubmission } from '../smpp/read.ts'
import type { Submission } from '../smpp/read.ts'
import { PduWriter } from '../smpp/write.ts'
import type { Centre } from './centre.ts'
import type { BindKind, ConnectedSession } from './connected-session.ts'
import { Outbox } from './outbox.ts'
import type { Receipt } from './receipt.ts'
import { takeSubmission } from './take.ts'
import type { Submitter } from './take.ts'

const bindKinds = new Map<number, BindKind>([
  [command.bind_transmitter, 'transmitter'],
  [command.bind_receiver, 'receiver'],
  [command.bind_transceiver, 'transceiver'],
])

/** Beyond this much unread output the client's requests are left unread as well. */
const MAX_UNREAD_BYTES = 1024 * 1024

export class Session implements ConnectedSession, Submitter {
  systemId = ''
  kind: BindKind | undefined
  readonly #centre: Centre
  readonly #socket: Socket
  readonly #frames = new FrameReader()
  readonly #writer = new PduWriter()
  readonly #outbox: Outbox
  #open = true

  constructor(centre: Centre, socket: Socket) {
    this.#centre = centre
    this.#socket = socket
    this.#outbox = new Outbox(centre, this.#writer)
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('drain', () => this.resume())
    // Resets are ordinary here: 'close' follows, and does all there is to do.
    socket.on('error', () => undefined)
    socket.on('close', () => this.#leave())
    if (centre.paused) socket.pause()
  }

  // ── input ──

  #receive(chunk: Buffer): void {
    if (!this.#open) return
    if (!this.#frames.push(chunk, (bytes, start, end) => this.#handle(bytes, start, end))) this.#giveUp(0)
  }

  /** The stream makes no sense: say so as the specification asks, and hang up. */
  #giveUp(sequence: number): void {
    this.#centre.counters.malformed++
    this.#writer.bare(GENERIC_NACK, esme.RINVCMDLEN, sequence)
    this.drop()
  }

  #handle(bytes: Buffer, start: number, end: number): boolean {
    const commandId = bytes.readUInt32BE(start + 4)
    const sequence = bytes.readUInt32BE(start + 12)
    try {
      if (commandId >= RESPONSE) this.#answered(sequence, bytes.readUInt32BE(start + 8))
      else this.#request(commandId, sequence, new Cursor(bytes, start + HEADER_BYTES, end))
    } catch (error) {
      if (!(error instanceof Malformed)) throw error
      this.#giveUp(sequence)
    }
    return this.#open
  }

  #request(commandId: number, sequence: number, cursor: Cursor): void {
    switch (commandId) {
      case command.submit_sm:
      case command.data_sm:
        if (this.kind === undefined || this.kind === 'receiver') break
        return takeSubmission(this.#centre, this, sequence, readSubmission(cursor, commandId))
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
        return this.#centre.touch(this)
    }
    this.#respond(commandId, esme.RINVBNDSTS, sequence)
  }

  #bind(commandId: number, sequence: number, cursor: Cursor): void {
    const { systemId, password } = readBind(cursor)
    const expected = this.#centre.options
    if (this.kind !== undefined) return this.#respond(commandId, esme.RALYBND, sequence)
    if (expected.systemId === undefined ? systemId.length > 15 : systemId !== expected.systemId) {
      return this.#respond(commandId, esme.RINVSYSID, sequence)
    }
    // Some carriers issue longer passwords than the specification's 8: whoever sets one here means it.
    if (expected.password === undefined ? password.length > 8 : password !== expected.password) {
      return this.#respond(commandId, esme.RINVPASWD, sequence)
    }
    this.systemId = systemId
    this.kind = bindKinds.get(commandId)
    this.#centre.counters.binds++
    this.#writer.bindResponse(commandId, sequence, 'postern-smsc')
    this.#centre.touch(this)
    if (this.kind === 'transmitter') return
    const mailbox = this.#centre.mailbox(systemId)
    mailbox.join(this)
    this.#centre.stir(mailbox)
  }

  #answered(sequence: number, commandStatus: number): void {
    // Room in the window: the next receipt may go.
    if (this.#outbox.answered(sequence, commandStatus)) this.#centre.stir(this.#centre.mailbox(this.systemId))
  }

  // ── output ──

  #respond(commandId: number, commandStatus: number, sequence: number): void {
    this.#writer.bare((commandId | RESPONSE) >>> 0, commandStatus, sequence)
    this.#centre.touch(this)
  }

  answer(submission: Submission, sequence: number, messageId: string): void {
    if (!this.#open) return
    this.#writer.submitResponse(submission.commandId, sequence, messageId)
    this.#centre.touch(this)
  }

  refuse(submission: Submission, sequence: number, commandStatus: number): void {
    this.#respond(submission.commandId, commandStatus, sequence)
  }

  hasRoom(): boolean {
    return this.#outbox.size < this.#centre.options.window
  }

  deliver(receipt: Receipt): void {
    this.#outbox.send(receipt)
    this.#centre.touch(this)
  }

  surrender(before?: number): Receipt[] {
    return this.#outbox.surrender(before)
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
    if (this.#centre.paused) return
    // The answers that came during a pause have not been read yet: their time begins now.
    if (this.#socket.isPaused()) this.#outbox.rewind()
    this.#socket.resume()
  }

  /** Hangs up after what was answered so far has left. */
  drop(): void {
    this.#centre.counters.disconnects++
    this.#end()
  }

  /** Hangs up in the middle of everything. */
  cut(): void {
    this.#centre.counters.disconnects++
    this.#socket.destroy()
    this.#leave()
  }

  #end(): void {
    this.flush()
    this.#socket.destroySoon()
    this.#leave()
  }

  #leave(): void {
    if (!this.#open) return
    this.#open = false
    this.#centre.part(this, this.kind === undefined ? undefined : this.systemId)
  }
}
