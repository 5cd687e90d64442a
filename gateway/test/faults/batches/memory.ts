import { readProcess } from '../../load/process-usage.ts'

const everyMs = 100

/** Samples the resident memory of a process. */
export class MemoryWatch {
  readonly #idleKb: number
  readonly #timer: NodeJS.Timeout
  #maxKb = 0

  constructor(pid: number) {
    this.#idleKb = readProcess(pid)!.residentKb
    this.#timer = setInterval(() => {
      this.#maxKb = Math.max(this.#maxKb, readProcess(pid)?.residentKb ?? 0)
    }, everyMs)
  }

  /** Returns the highest memory since the last call, in megabytes above that of the start. */
  takeMegabytesAbove(): number {
    const above = Math.max(0, this.#maxKb - this.#idleKb) / 1_024
    this.#maxKb = 0
    return above
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}
