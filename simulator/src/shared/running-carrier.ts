import type { SubmitCounters } from './carrier-state.ts'
import type { StartedCarrier } from './command-line.ts'
import type { HttpCounters } from './http-server.ts'
import type { ListedEntry, LogEntry, DuplicateEntry } from './received-log.ts'
import type { WebhookCounters } from './webhook-sender.ts'

export interface CarrierStats extends SubmitCounters, WebhookCounters, HttpCounters {
  readonly submitsPerSecond: number
  readonly paused: boolean
}

export interface HttpCarrier<Entry extends LogEntry> extends StartedCarrier {
  stats(): CarrierStats
  submissions(to?: string, limit?: number): ListedEntry<Entry>[]
  duplicates(): DuplicateEntry<Entry>[]
  reset(): void
  disconnect(): number
  pause(): void
  resume(): void
}
