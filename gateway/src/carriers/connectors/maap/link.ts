/**
 * The link of a route: its hosts with their tokens, and the open submissions. It comes up when a host gets a token, and goes
 * down when a login fails while no host has a valid one.
 */
import type { LoginResult } from '../http/access-token.ts'
import { OpenSubmissions } from '../open-submissions.ts'
import type { ConnectorContext, SubmitOutcome } from '../connector.ts'
import { MaapHost, type HostOptions, type HostSettings } from './host.ts'

export interface MaapLinkOptions extends HostOptions {
  readonly stopTimeoutMs: number
}

export class MaapLink {
  readonly #options: MaapLinkOptions
  readonly #context: ConnectorContext
  readonly #hosts: MaapHost[] = []
  readonly #open: OpenSubmissions
  #state: 'new' | 'started' | 'stopped' = 'new'
  #linked = false

  constructor(options: MaapLinkOptions, context: ConnectorContext) {
    this.#options = options
    this.#context = context
    this.#open = new OpenSubmissions('maap', options.window)
  }

  get linked(): boolean {
    return this.#linked
  }

  /** Must be called before `start`. `name` is for the log. */
  addHost(name: string, settings: Omit<HostSettings, 'onToken'>): MaapHost {
    const onToken = (result: LoginResult): void => this.#onToken(name, result)
    const host = new MaapHost({ ...settings, onToken }, this.#options)
    this.#hosts.push(host)
    return host
  }

  start(): void {
    if (this.#state !== 'new') return
    this.#state = 'started'
    for (const host of this.#hosts) host.start()
  }

  submit(send: () => Promise<SubmitOutcome>): Promise<SubmitOutcome> {
    return this.#open.submit(this.#state === 'started', send)
  }

  stop(limitMs?: number): Promise<void> {
    this.#state = 'stopped'
    this.#update('stopped')
    return this.#open.drain({ ...this.#options, limitMs }, () => {
      for (const host of this.#hosts) host.stop()
    })
  }

  #onToken(name: string, result: LoginResult): void {
    const { onEvent, onLinkFailure, log } = this.#context
    if (result.kind === 'token') {
      onEvent('token-renewed')
      return this.#update('has a token')
    }
    const { code, isLoginRefused } = result
    if (isLoginRefused) {
      onEvent('account-refused')
      log.error(
        { host: name, code },
        'the carrier refuses the login; messages to this host wait; check the URL, the id and the secret, and whether the carrier allows our IP address',
      )
    } else log.warn({ host: name, code }, 'cannot get a token; retrying')
    const reason = isLoginRefused ? `${name} refuses the login: ${code}` : `no token of ${name}: ${code}`
    if (this.#linked) this.#update(reason)
    else onLinkFailure?.(reason)
  }

  #update(reason: string): void {
    const linked = this.#state === 'started' && this.#hosts.some(({ isUp }) => isUp)
    if (linked === this.#linked) return
    this.#linked = linked
    this.#context.onLink(linked, reason)
  }
}
