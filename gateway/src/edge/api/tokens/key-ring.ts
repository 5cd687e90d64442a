import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { clock } from '../../../platform/time/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Log } from '../../../platform/logging/log.ts'
import { TableCache } from '../../../platform/database/table-cache.ts'
import { loadTokenKeys, tokenKeysVersion, type StoredTokenKey } from './key-queries.ts'

export const tokenLifetimeMs = 24 * 3_600_000

/**
 * Keys that sign tokens: the newest one signs, and an earlier one is accepted until its last token has expired or the
 * key is retired. All API processes read the ring from PostgreSQL every second; a new key begins to sign when all of
 * them know it, so a rotation that retires no key fails no request. All keys are derived from POSTERN_TOKEN_SECRET,
 * those after key 1 with a salt from the table.
 */
export interface KeyRing {
  signing(nowMs: number): { readonly id: number; readonly key: KeyObject }
  find(id: number): KeyObject | undefined
  /** Reports whether tokens that the key signed are accepted. */
  accepts(id: number, nowMs: number): boolean
  /** Reads the ring again, for a key that may be new. Resolves to false if it could not be read. */
  refresh?(): Promise<boolean>
}

/** Creates a ring with one key that is never replaced. */
export function fixedRing(secret: string): KeyRing {
  return buildRing([{ id: 1, salt: null, signsFrom: new Date(0), retiredAt: null }], secret)
}

export interface StoredRing extends KeyRing {
  readonly ageMs: number
  startLoaded(signal: AbortSignal): Promise<void>
  refreshNow(): Promise<void>
  stop(): void
}

export function createKeyRing(database: Database, log: Log, secret: string): StoredRing {
  const cache = new TableCache<KeyRing>(
    {
      what: 'token keys',
      version: () => tokenKeysVersion(database),
      load: async () => buildRing(await loadTokenKeys(database), secret),
    },
    log,
  )
  return {
    signing: (nowMs) => cache.value.signing(nowMs),
    find: (id) => cache.value.find(id),
    accepts: (id, nowMs) => cache.value.accepts(id, nowMs),
    refresh: () => cache.refreshEarly(),
    startLoaded: (signal) => cache.startLoaded(signal),
    refreshNow: () => cache.refresh(),
    stop: () => cache.stop(),
    get ageMs() {
      return cache.ageMs
    },
  }
}

/** Builds a ring from keys in the order of their ids. */
function buildRing(stored: readonly StoredTokenKey[], secret: string): KeyRing {
  const keys = stored.map(({ id, salt, signsFrom, retiredAt }, index) => {
    const next = stored[index + 1]
    // Later, only someone who stole the key could make a token that has not expired.
    const lastExpiry = next === undefined ? Infinity : next.signsFrom.getTime() + tokenLifetimeMs
    return {
      id,
      key: deriveKey(secret, id, salt),
      signsFromMs: signsFrom.getTime(),
      acceptedUntilMs: Math.min(lastExpiry + clock.maxSkewMs, retiredAt?.getTime() ?? Infinity),
    }
  })
  const byId = new Map(keys.map((key) => [key.id, key]))
  return {
    signing: (nowMs) => keys.findLast(({ signsFromMs }) => signsFromMs <= nowMs) ?? keys[0]!,
    find: (id) => byId.get(id)?.key,
    accepts: (id, nowMs) => nowMs < (byId.get(id)?.acceptedUntilMs ?? 0),
  }
}

function deriveKey(secret: string, id: number, salt: Buffer | null): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt ?? '', `postern token key ${id}`, 32)))
}
