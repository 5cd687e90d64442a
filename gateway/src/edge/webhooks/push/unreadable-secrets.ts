/**
 * Tracks webhooks of a pusher whose secrets or URLs it cannot decrypt. Without the master key, which it gets only by a
 * restart, the process claims no webhooks and leaves its own to others. A webhook with a damaged secret or URL stays
 * owned and is read again until the value is replaced.
 */
import { ConfigError } from '../../../platform/settings/config.ts'
import type { Log } from '../../../platform/logging/log.ts'
import type { OnUnreadable } from './ownership.ts'

export class UnreadableSecrets {
  readonly #log: Log
  readonly #logged = new Set<string>()
  readonly #damaged = new Set<string>()
  #lacksKey = false

  constructor(log: Log) {
    this.#log = log
  }

  /** Reports whether the process keeps a webhook that it cannot push to. */
  isDamaged(webhookId: string): boolean {
    return this.#damaged.has(webhookId)
  }

  get lacksKey(): boolean {
    return this.#lacksKey
  }

  /** Starts a read of all webhooks that the process owns. */
  startRound(): OnUnreadable {
    this.#damaged.clear()
    return (webhook, error) => {
      const isWithoutKey = error instanceof ConfigError
      if (!isWithoutKey) this.#damaged.add(webhook)
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
          'cannot decrypt the secret or the URL of a webhook; its reports wait until the secret is replaced with `postern webhook rotate`, or the URL with `postern webhook set --url`',
        )
    }
  }
}
