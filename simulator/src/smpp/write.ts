/**
 * Encodes PDUs into shared buffers, so that the output of one turn of the event loop is one write. Bytes
 * passed to the socket are never changed. The caller decides when to flush.
 */
import type { Socket } from 'node:net'
import { HEADER_BYTES, RESPONSE, command, tag } from './protocol.ts'

const SLAB_BYTES = 64 * 1024
/** Larger than any PDU of this writer: ids and addresses have at most 65 octets, receipt texts 254. */
const MAX_WRITTEN_BYTES = 1024

export class PduWriter {
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
  #flushed = 0
  #position = 0
  #finished: Buffer[] = []
  #pduStart = 0

  begin(commandId: number, commandStatus: number, sequence: number): void {
    if (SLAB_BYTES - this.#position < MAX_WRITTEN_BYTES) {
      this.#finished.push(this.#slab.subarray(this.#flushed, this.#position))
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      this.#flushed = this.#position = 0
    }
    this.#pduStart = this.#position
    this.#slab.writeUInt32BE(commandId, this.#position + 4)
    this.#slab.writeUInt32BE(commandStatus, this.#position + 8)
    this.#slab.writeUInt32BE(sequence, this.#position + 12)
    this.#position += HEADER_BYTES
  }

  end(): void {
    this.#slab.writeUInt32BE(this.#position - this.#pduStart, this.#pduStart)
  }

  uint8(value: number): void {
    this.#slab[this.#position++] = value
  }

  uint16(value: number): void {
    this.#slab.writeUInt16BE(value, this.#position)
    this.#position += 2
  }

  latin1(text: string): void {
    if (text !== '') this.#position += this.#slab.write(text, this.#position, 'latin1')
  }

  cstring(text: string): void {
    this.latin1(text)
    this.uint8(0)
  }

  tlvByte(tagId: number, value: number): void {
    this.uint16(tagId)
    this.uint16(1)
    this.uint8(value)
  }

  /** Writes a response without a body: errors, enquire_link_resp, unbind_resp, generic_nack. */
  bare(commandId: number, commandStatus: number, sequence: number): void {
    this.begin(commandId, commandStatus, sequence)
    this.end()
  }

  bindResponse(commandId: number, sequence: number, systemId: string): void {
    this.begin((commandId | RESPONSE) >>> 0, 0, sequence)
    this.cstring(systemId)
    this.tlvByte(tag.sc_interface_version, 0x34)
    this.end()
  }

  submitResponse(commandId: number, sequence: number, messageId: string): void {
    this.begin((commandId | RESPONSE) >>> 0, 0, sequence)
    this.cstring(messageId)
    this.end()
  }

  queryResponse(sequence: number, messageId: string, finalDate: string, state: number, error: number): void {
    this.begin((command.query_sm | RESPONSE) >>> 0, 0, sequence)
    this.cstring(messageId)
    this.cstring(finalDate)
    this.uint8(state)
    this.uint8(error)
    this.end()
  }

  flush(socket: Socket): void {
    const last =
      this.#position > this.#flushed ? this.#slab.subarray(this.#flushed, this.#position) : undefined
    this.#flushed = this.#position
    if (this.#finished.length > 0) {
      socket.cork()
      for (const piece of this.#finished) socket.write(piece)
      if (last !== undefined) socket.write(last)
      socket.uncork()
      this.#finished = []
    } else if (last !== undefined) socket.write(last)
  }
}
