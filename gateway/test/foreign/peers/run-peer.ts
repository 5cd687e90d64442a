/**
 * Runs one peer: prepares it, connects it through a tap, runs all cases in order, and decodes its capture
 * with tshark.
 */
import { existsSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeCapture, openCapture, type Side } from './capture.ts'
import type { PeerResults, Result } from './table.ts'
import { openTap, type Tap } from './tap.ts'

export interface PeerRun<Stage> {
  readonly kind: { readonly name: string; readonly version: string; readonly prepare?: () => void }
  readonly cases: Readonly<Record<string, (stage: Stage) => Promise<'skipped' | undefined>>>
  /** The port that the client connects to, through the tap. */
  readonly port: number
  readonly ours: Side
  /** Connects the client to the port of the tap. */
  readonly open: (tap: Tap) => Promise<{ readonly stage: Stage; close(): Promise<void> }>
}

/** The last case of every peer. */
export const captureCase = 'tshark'

export const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Prints the reason and returns false if the peer is not installed. */
export function isPrepared({ name, prepare }: PeerRun<unknown>['kind']): boolean {
  try {
    prepare?.()
    return true
  } catch (error) {
    say(`${name}: not installed. ${(error as Error).message}`)
    return false
  }
}

export async function runPeer<Stage>({
  kind,
  cases,
  port,
  ours,
  open,
}: PeerRun<Stage>): Promise<PeerResults> {
  const results = new Map<string, Result>()
  const file = join(tmpdir(), `postern-peer-${process.pid}-${port}.pcap`)
  const capture = openCapture(file)
  const tap = await openTap(port, capture)
  const attempt = async (name: string, work: () => Promise<'skipped' | undefined>): Promise<void> => {
    try {
      results.set(name, (await work()) ?? 'passed')
    } catch (error) {
      say(`WRONG ${kind.name}: ${name}: ${(error as Error).message}`)
      results.set(name, 'failed')
    }
  }
  try {
    const opened = await open(tap)
    try {
      for (const [name, check] of Object.entries(cases)) await attempt(name, () => check(opened.stage))
    } finally {
      await opened.close()
    }
  } catch (error) {
    say(`WRONG ${kind.name}: ${(error as Error).message}`)
    for (const name of Object.keys(cases)) if (!results.has(name)) results.set(name, 'failed')
  }
  await tap.close()
  capture.close()
  if (existsSync('/usr/bin/tshark')) await attempt(captureCase, () => checkCapture(file, tap, ours))
  else results.set(captureCase, 'not installed')
  if (results.get(captureCase) === 'failed') say(`its capture: ${file}`)
  else rmSync(file)
  say(`${kind.name} ${kind.version}: ${[...results].map(([name, result]) => `${name} ${result}`).join(', ')}`)
  return { name: kind.name, version: kind.version, results }
}

async function checkCapture(file: string, { sent, received }: Tap, ours: Side): Promise<undefined> {
  const { pdus, malformed } = await decodeCapture(file, ours)
  const counted = [...sent.values(), ...received.values()].reduce((sum, count) => sum + count, 0)
  if (malformed.length > 0)
    throw new Error(
      `${malformed.length} of the gateway's frames are malformed: ${malformed.slice(0, 3).join('; ')}`,
    )
  if (pdus !== counted) throw new Error(`tshark found ${pdus} of ${counted} PDUs`)
}
