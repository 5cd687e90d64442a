/**
 * Writes the octets of both directions as a capture file and decodes it with tshark. The third-party decoder
 * must find every PDU that the tap has counted, and no malformed PDU of the gateway. Writing the file instead
 * of capturing from the interface needs no privileges and loses nothing.
 */
import { execFile } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'

export type Side = 'client' | 'carrier'

export interface Capture {
  /** Returns a function that records the octets of one connection. */
  connection(nth: number): (from: Side, octets: Buffer) => void
  close(): void
}

const smppPort = 2775
const firstClientPort = 40_000
/** Link type of raw IP packets. */
const linkType = 101
const maxSegment = 1_400

export function openCapture(file: string): Capture {
  const descriptor = openSync(file, 'w')
  const header = Buffer.alloc(24)
  header.writeUInt32LE(0xa1b2c3d4, 0)
  header.writeUInt16LE(2, 4)
  header.writeUInt16LE(4, 6)
  header.writeUInt32LE(0x40000, 16)
  header.writeUInt32LE(linkType, 20)
  writeSync(descriptor, header)
  return {
    connection(nth) {
      const next = { client: 1, carrier: 1 }
      return (from, octets) => {
        const to = from === 'client' ? 'carrier' : 'client'
        for (let at = 0; at < octets.length; at += maxSegment) {
          const data = octets.subarray(at, at + maxSegment)
          const ports = { client: firstClientPort + nth, carrier: smppPort }
          writeSync(
            descriptor,
            packet(data, ports[from], ports[to], next[from], next[to], from === 'client' ? 1 : 2),
          )
          next[from] += data.length
        }
      }
    },
    close: () => closeSync(descriptor),
  }
}

/**
 * Returns a record of the file: the time, an IPv4 header, a TCP header, the data. Checksums are 0, which
 * tshark does not check.
 */
function packet(
  data: Buffer,
  sourcePort: number,
  port: number,
  sequence: number,
  acknowledged: number,
  host: number,
): Buffer {
  const length = 40 + data.length
  const record = Buffer.alloc(16 + length)
  const now = Date.now()
  record.writeUInt32LE(Math.floor(now / 1_000), 0)
  record.writeUInt32LE((now % 1_000) * 1_000, 4)
  record.writeUInt32LE(length, 8)
  record.writeUInt32LE(length, 12)
  const ip = record.subarray(16)
  ip.writeUInt8(0x45, 0)
  ip.writeUInt16BE(length, 2)
  ip.writeUInt8(64, 8)
  ip.writeUInt8(6, 9)
  ip.writeUInt32BE(0x7f000000 + host, 12)
  ip.writeUInt32BE(0x7f000000 + (3 - host), 16)
  const tcp = ip.subarray(20)
  tcp.writeUInt16BE(sourcePort, 0)
  tcp.writeUInt16BE(port, 2)
  tcp.writeUInt32BE(sequence, 4)
  tcp.writeUInt32BE(acknowledged, 8)
  tcp.writeUInt8(0x50, 12)
  tcp.writeUInt8(0x18, 13)
  tcp.writeUInt16BE(0xffff, 14)
  data.copy(tcp, 20)
  return record
}

export interface DecodedCapture {
  readonly pdus: number
  /** Frames of the gateway with a malformed PDU. */
  readonly malformed: readonly string[]
}

const run = promisify(execFile)

const addresses: Readonly<Record<Side, string>> = { client: '127.0.0.1', carrier: '127.0.0.2' }

export async function decodeCapture(file: string, ours: Side): Promise<DecodedCapture> {
  const read = async (...args: string[]): Promise<string[]> => {
    const tsharkArgs = ['-r', file, '-d', `tcp.port==${smppPort},smpp`, ...args]
    const { stdout } = await run('tshark', tsharkArgs, { maxBuffer: 256 * 1024 * 1024 })
    return stdout.split('\n').filter((line) => line !== '')
  }
  const ids = await read('-Y', 'smpp', '-T', 'fields', '-e', 'smpp.command_id', '-E', 'aggregator= ')
  return {
    pdus: ids.flatMap((line) => line.split(' ')).length,
    malformed: await read(
      '-Y',
      `ip.src == ${addresses[ours]} and (_ws.malformed or _ws.expert.severity == "Error")`,
    ),
  }
}
