/**
 * Webhooks of a pusher whose secrets it cannot decrypt. Without the master key, which a process gets by a restart, it
 * claims no webhooks and leaves its own to others. A damaged secret is kept and read again, until it is rotated.
 */
import { ConfigError } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'
import type { OnUnreadable } from './ownership.ts'

export class UnreadableSecrets {
  readonly #log: Log
  readonly #logged = new Set<string>()
  #withoutKey: string[] = []
  #damaged = 0
  #lacksKey = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Webhooks that it owns and cannot push to. */
  get damaged(): number {
    return this.#damaged
  }

  get lacksKey(): boolean {
    return this.#lacksKey
  }

  /** For one read of all webhooks that the process owns. */
  startRound(): OnUnreadable {
    this.#withoutKey = []
    this.#damaged = 0
    return (webhook, error) => {
      const isWithoutKey = error instanceof ConfigError
      if (isWithoutKey) this.#withoutKey.push(webhook)
      else this.#damaged++
      this.#lacksKey ||= isWithoutKey
      const subject = isWithoutKey ? '' : webhook
      if (this.#logged.has(subject)) return
      this.#logged.add(subject)
      if (isWithoutKey)
        this.#log.error(
          { err: error },
          'cannot decrypt the secrets of webhooks; other workers push to them. Restart this worker with the master key',
        )
      else
        this.#log.error(
          { err: error, webhook },
          'cannot decrypt the secret or the URL of a webhook; its reports wait until they are replaced with `postern webhook rotate` and `postern webhook set --url`',
        )
    }
  }

  toRelease(): readonly string[] {
    return this.#withoutKey
  }
}
