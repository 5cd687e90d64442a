/**
 * Live figures for the first screen and the ledger strip, shared by both: streamed if the server supports it, otherwise polled
 * every two seconds. Nothing is read while the page is hidden. Keeps 300 readings for curves: five minutes if streamed.
 */
import { useSyncExternalStore } from 'react'
import { call, send } from './call.ts'
import type { Operations } from '../generated/operations.ts'
import { Problem, toProblem } from './problem.ts'
import { readEvents } from './read-events.ts'

export type Now = Operations['showNow']['data']

export interface NowState {
  readonly now: Now | null
  /** Value of `performance.now()`. */
  readonly receivedAt: number
  readonly problem: Problem | null
  readonly mode: 'connecting' | 'live' | 'polling'
  /** Oldest first. */
  readonly history: readonly Now[]
}

const livePath = '/admin/v1/live'
const pollMs = 2_000
const retryMs = 3_000
const maxHistory = 300

let state: NowState = { now: null, receivedAt: 0, problem: null, mode: 'connecting', history: [] }
let canStream = true
let running: AbortController | null = null
const listeners = new Set<() => void>()

function change(next: Partial<NowState>): void {
  state = { ...state, ...next }
  for (const listener of listeners) listener()
}

function receive(now: Now, mode: NowState['mode']): void {
  const history = state.now?.at === now.at ? state.history : [...state.history, now].slice(-maxHistory)
  change({ now, mode, history, receivedAt: performance.now(), problem: null })
}

async function run(signal: AbortSignal): Promise<void> {
  const stopped = (): boolean => signal.aborted
  while (!stopped()) {
    try {
      if (document.hidden) await untilVisible(signal)
      else if (canStream) await stream(signal)
      else {
        receive(await call('showNow', {}, { signal }), 'polling')
        await sleep(pollMs, signal)
      }
    } catch (error) {
      if (stopped()) return
      const problem = toProblem(error)
      if (canStream && [404, 406].includes(problem.status)) {
        canStream = false
        continue
      }
      change({ problem })
      await sleep((problem.retryAfterSeconds ?? 0) * 1_000 || retryMs, signal)
    }
  }
}

async function stream(signal: AbortSignal): Promise<void> {
  const hidden = new AbortController()
  const hide = (): void => {
    if (document.hidden) hidden.abort()
  }
  document.addEventListener('visibilitychange', hide)
  const hiddenOrStopped = AbortSignal.any([signal, hidden.signal])
  try {
    const response = await send(livePath, { method: 'GET', signal: hiddenOrStopped })
    for await (const { event, data } of readEvents(response))
      if (event === 'now') receive(JSON.parse(data) as Now, 'live')
      else if (event === 'unavailable') change({ problem: readUnavailable(data) })
    // The server ended the stream: wait before opening the next one.
    await sleep(pollMs, hiddenOrStopped)
  } catch (error) {
    if (!hidden.signal.aborted) throw error
  } finally {
    document.removeEventListener('visibilitychange', hide)
  }
}

/** The stream continues while figures are unavailable; the screen keeps the last ones and shows their age. */
function readUnavailable(data: string): Problem {
  const { code, detail } = JSON.parse(data) as { readonly code: string; readonly detail: string }
  return new Problem(code, detail)
}

function untilVisible(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      if (document.hidden && !signal.aborted) return
      document.removeEventListener('visibilitychange', end)
      resolve()
    }
    document.addEventListener('visibilitychange', end)
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Resolves early if the signal aborts. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (running === null) {
    running = new AbortController()
    void run(running.signal)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    running?.abort()
    running = null
  }
}

export const useNow = (): NowState => useSyncExternalStore(subscribe, () => state)
