/**
 * The switch of an account from one cell to the other. Until `handOver` the old cell owns it: a run that dies leaves it
 * served there when its pause ends. From then on the new cell owns it, and the next run opens it there.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import {
  handOver,
  openAccount,
  pauseAccount,
  readMoving,
  renewPause,
  resumeAccount,
} from '../../accounts/moves.ts'
import { inTransaction } from '../../platform/database.ts'
import { hasPushers } from '../../webhooks/move.ts'
import { FailedError } from '../errors.ts'
import { copyFinal } from './move-copy.ts'
import { movedByAnother, type Move } from './move-context.ts'

const pauseSeconds = 15
/** A push may take 30 s, and its process another second to notice the pause. */
const pushersWithinMs = 40_000

/** Both cells refuse the account while it is switched; a client sees 503 with Retry-After for some seconds. */
export async function switchCells(move: Move, id: number, followMs: number): Promise<void> {
  const { source, target, clientId, fromCell, toCell, account, progress } = move
  const handedOver = account.servedBy === toCell
  const held = { clientId, holder: randomUUID(), seconds: pauseSeconds }
  const renew = async (): Promise<void> => {
    if (!handedOver && !(await renewPause(source, held))) throw pauseEnded(clientId)
  }
  const started = performance.now()
  if (!handedOver && !(await pauseAccount(source, held))) throw movedByAnother()
  progress(`paused ${clientId}: requests are answered 503 until cell ${toCell} serves it`)
  try {
    await pause(followMs)
    await untilPushersStopped(move, renew)
    // Settings may have changed since the account was read.
    const current = (await readMoving(source, clientId))!
    await copyFinal({ ...move, account: current }, id, renew)
    if (!handedOver && !(await handOver(source, held, toCell))) throw pauseEnded(clientId)
  } catch (error) {
    if (!handedOver) await resumeAccount(source, held).catch(() => undefined)
    throw error
  }
  if (!(await inTransaction(target, (transaction) => openAccount(transaction, id, fromCell))))
    throw movedByAnother()
  progress(`cell ${toCell} serves ${clientId}, after ${Math.round(performance.now() - started)} ms`)
}

function pauseEnded(clientId: string): FailedError {
  return new FailedError(
    `the pause of ${clientId} ended before everything was copied, or another run holds it; run the command again`,
  )
}

/** Their pushes under way have ended and are saved, so the new cell repeats none. */
async function untilPushersStopped({ source, account }: Move, renew: () => Promise<void>): Promise<void> {
  const started = performance.now()
  while (await hasPushers(source, account.id)) {
    await renew()
    if (performance.now() - started > pushersWithinMs)
      throw new FailedError('a worker still pushes to a webhook of the account; run the command again')
    await pause(250)
  }
}
