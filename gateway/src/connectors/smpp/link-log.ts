/**
 * What the log says about links. A carrier that is away for a night must not fill it: a failure is told when
 * it begins and when its reason changes, and a refused password is an alarm that rings once.
 */
import type { ConnectorLog } from '../connector.ts'
import { isAuthenticationFailure } from './outcome.ts'
import type { BindKind } from './pdu.ts'
import type { SessionEnd } from './session.ts'
import { statusCode, statusName } from './status.ts'

export class LinkLog {
  readonly #log: ConnectorLog
  readonly #told = new Map<BindKind, string>()
  #alarmed = false

  constructor(log: ConnectorLog) {
    this.#log = log
  }

  bound(role: BindKind): void {
    this.#told.delete(role)
    this.#alarmed = false
    this.#log.info({ role }, 'session bound')
  }

  closed(role: BindKind, end: SessionEnd, pauseMs: number): void {
    const { reason, bindStatus } = end
    if (isAuthenticationFailure(bindStatus)) {
      if (this.#alarmed) return
      this.#alarmed = true
      const code = statusCode(bindStatus!)
      const fields = { role, code, name: statusName(bindStatus!), pauseMs, alarm: true }
      return this.#log.error(fields, 'the carrier refuses our name or password')
    }
    const story = `${reason} ${bindStatus ?? ''}`
    if (this.#told.get(role) === story) return
    this.#told.set(role, story)
    const code = bindStatus === null ? undefined : statusCode(bindStatus)
    this.#log.warn({ role, reason, code, pauseMs }, 'session closed; connecting again')
  }
}
