import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Gateway } from '../../support/processes/gateway.ts'
import { projectRoot } from '../../support/processes/program.ts'

const name = 'PosternClockJump'
const rules = readFileSync(join(projectRoot, 'deploy/alerts.yml'), 'utf8')
const rule = new RegExp(`- alert: ${name}\\s+expr: abs\\((\\w+)\\) > (\\d+)\\s+for: (\\d+)m\\s`).exec(rules)
if (rule === null)
  throw new Error(
    `deploy/alerts.yml: expected ${name} with an expression abs(metric) > number and for in minutes`,
  )
const [metric, limit, minutes] = [rule[1]!, Number(rule[2]), Number(rule[3])]

/** Evaluates the shipped alert on PostgreSQL clock jumps with the metrics of the processes. */
export class ClockAlert {
  readonly name = name
  readonly forMs = minutes * 60_000
  readonly #gateways: readonly Gateway[]
  readonly #began = performance.now()
  #trueSince: number | undefined

  constructor(gateways: readonly Gateway[]) {
    this.#gateways = gateways
  }

  /** Seconds since this object was created. */
  get afterSeconds(): number {
    return Math.round((performance.now() - this.#began) / 1000)
  }

  /** Reports whether the expression is true for every process. */
  async isTrue(): Promise<boolean> {
    return (await this.#values()).every((value) => value > limit)
  }

  /** Reports whether the expression is false for every process, so none writes times of the wrong clock. */
  async isFalse(): Promise<boolean> {
    return (await this.#values()).every((value) => value <= limit)
  }

  /** Reports whether the expression has been true for the duration of the rule. Call it every second. */
  async fires(): Promise<boolean> {
    if (!(await this.isTrue())) this.#trueSince = undefined
    else this.#trueSince ??= performance.now()
    return this.#trueSince !== undefined && performance.now() - this.#trueSince >= this.forMs
  }

  async #values(): Promise<number[]> {
    const values = await Promise.all(this.#gateways.map((gateway) => gateway.metric(metric)))
    return values.map((value) => Math.abs(value))
  }
}
