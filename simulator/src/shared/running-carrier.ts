/** A running carrier over HTTP, as its start function returns it and its control exposes it. */
import type { SubmitCounters } from './carrier-state.ts'
import type { StartedCarrier } from './command-line.ts'
import type { HttpCounters } from './http-server.ts'
import type { Listed, LogEntry, Repeated } from './received-log.ts'
import type { WebhookCounters } from './webhook-sender.ts'

export interface CarrierStats extends SubmitCounters, WebhookCounters, HttpCounters {
  readonly submitsPerSecond: number
  readonly paused: boolean
}

export interface HttpCarrier<Entry extends LogEntry> extends StartedCarrier {
  stats(): CarrierStats
  submissions(to?: string, limit?: number): Listed<Entry>[]
  duplicates(): Repeated<Entry>[]
  reset(): void
  disconnect(): number
  pause(): void
  resume(): void
}
