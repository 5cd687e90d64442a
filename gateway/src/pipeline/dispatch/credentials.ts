/**
 * Notices that a secret in a file has changed since a route was started, so that the route is started again with it. While
 * the new content cannot be read or is invalid, the link stays as it is. Called by `RouteOwner`, every few seconds.
 */
import { createHash } from 'node:crypto'
import { readOptions } from '../../connectors/registry.ts'
import { hasFileSecrets } from '../../connectors/secrets.ts'
import type { Log } from '../../platform/log.ts'
import type { Route } from '../../routes/route.ts'

export class Credentials {
  readonly #route: Pick<Route, 'protocol' | 'options'>
  readonly #log: Log
  /** Null when the options name no file. */
  readonly #digest: string | null
  #failing = false

  constructor(route: Pick<Route, 'protocol' | 'options'>, log: Log) {
    this.#route = route
    this.#log = log
    this.#digest = hasFileSecrets(route.options) ? this.#read() : null
  }

  hasChanged(): boolean {
    if (this.#digest === null) return false
    try {
      const changed = this.#read() !== this.#digest
      this.#failing = false
      return changed
    } catch (error) {
      if (!this.#failing)
        this.#log.warn(
          { reason: (error as Error).message },
          'a secret of the route cannot be read or is invalid; the link keeps the previous one. Correct the file',
        )
      this.#failing = true
      return false
    }
  }

  #read(): string {
    const options = JSON.stringify(readOptions(this.#route.protocol, this.#route.options))
    return createHash('sha256').update(options).digest('base64')
  }
}
