/**
 * Measures the SMSC: starts it as a separate process, submits through several sessions as fast as the window
 * allows, answers every receipt, and prints messages per second of wall time and of the SMSC's CPU time.
 * Usage: node simulator/bench/flood.ts [messages] [sessions] [window] [SMSC options]. The CPU figure needs
 * Linux.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const args = process.argv.slice(2)
const firstFlag = args.findIndex((arg) => arg.startsWith('--'))
const numbers = firstFlag < 0 ? args : args.slice(0, firstFlag)
const flags = firstFlag < 0 ? [] : args.slice(firstFlag)
const [requested = 200_000, sessions = 2, window = 500] = numbers.map(Number)
const share = Math.floor(requested / sessions)
const messages = share * sessions

const smsc = spawn(
  process.execPath,
  [
    fileURLToPath(new URL('../src/main.ts', import.meta.url)),
    'smsc',
    '--port',
    '0',
    '--control-port',
    '0',
    ...flags,
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
)
const [line] = (await once(smsc.stdout, 'data')) as [Buffer]
const { port } = JSON.parse(line.toString()) as { port: number }

/** Returns the user and system time of the SMSC, which Linux counts in jiffies, 100 per second. */
function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${smsc.pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

// Values of command_id.
const SUBMIT_SM = 0x04
const SUBMIT_SM_RESP = 0x80000004
const DELIVER_SM = 0x05
const DELIVER_SM_RESP = 0x80000005
const BIND_TRANSCEIVER = 0x09

function pdu(commandId: number, body: Buffer): Buffer {
  const bytes = Buffer.alloc(16 + body.length)
  bytes.writeUInt32BE(bytes.length, 0)
  bytes.writeUInt32BE(commandId, 4)
  body.copy(bytes, 16)
  return bytes
}

const bind = pdu(BIND_TRANSCEIVER, Buffer.from('bench\0secret\0\0\x34\0\0\0', 'latin1'))
const text = 'Your verification code is 482913. It is valid for three minutes; do not share it.'
const submit = pdu(
  SUBMIT_SM,
  Buffer.from(
    `\0\x02\x010215881588\0\x01\x01821012345678\0\0\0\0\0\0\x01\0\0\0${String.fromCharCode(text.length)}${text}`,
    'latin1',
  ),
)
const receiptResponse = pdu(DELIVER_SM_RESP, Buffer.from('\0', 'latin1'))

/** Counts receipts of all sessions: a receipt may arrive on another session than its message used. */
let received = 0
const finished = Promise.withResolvers<undefined>()

async function flood(): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let [sequence, submitted, answered] = [1, 0, 0]
  let rest: Buffer = Buffer.alloc(0)
  const pieces: Buffer[] = []
  const fill = (): void => {
    while (submitted < share && submitted - answered < window) {
      const copy = Buffer.from(submit)
      copy.writeUInt32BE(++sequence, 12)
      pieces.push(copy)
      submitted++
    }
  }
  socket.write(bind)
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    while (bytes.length - at >= 16 && bytes.length - at >= bytes.readUInt32BE(at)) {
      const commandId = bytes.readUInt32BE(at + 4)
      if (commandId === SUBMIT_SM_RESP) answered++
      if (commandId === DELIVER_SM) {
        received++
        const copy = Buffer.from(receiptResponse)
        bytes.copy(copy, 12, at + 12, at + 16)
        pieces.push(copy)
      }
      at += bytes.readUInt32BE(at)
    }
    rest = bytes.subarray(at)
    fill()
    if (pieces.length > 0) socket.write(Buffer.concat(pieces.splice(0)))
    if (received === messages) finished.resolve(undefined)
  })
  await finished.promise
  socket.end()
}

const cpuBefore = cpuSeconds()
const began = performance.now()
await Promise.all(Array.from({ length: sessions }, flood))
const wall = (performance.now() - began) / 1000
const cpu = cpuSeconds() - cpuBefore
smsc.kill('SIGTERM')
await once(smsc, 'exit')
const perSecond = Math.round(messages / wall)
const perCpuSecond = Math.round(messages / cpu)
console.log(JSON.stringify({ messages, sessions, window, flags, perSecond, perCpuSecond }))
