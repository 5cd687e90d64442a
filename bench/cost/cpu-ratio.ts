/** Compares the CPU time of a message with that of the bare variant of `bench pipeline`, in a short run on the same engines. */
import { readHardware } from '../../tools/dev/hardware.ts'
import { CleanupStack } from '../cleanup-stack.ts'
import { openEnvironment } from '../environment.ts'
import { installGateway } from '../gateway.ts'
import { startSides } from '../pipeline.ts'
import { summarizeVariant, sumOwnCpu } from '../report.ts'
import { runRounds } from '../rounds.ts'

const options = { window: 100, workers: 1, owners: 1, connections: 64 }
/** Our code is still compiled after these, but as much of it in every run. */
const warmUp = { ours: 8_000, bare: 4_000 }
const messages = 4_000
const rounds = 3

/** CPU time of a message, as multiples of that of bare processes and engines. */
export interface CpuRatios {
  /** CPU time of our processes and the engines. */
  readonly all: number
  /** CPU time of the worker alone, in which most changes show, and where the engines add no noise. */
  readonly worker: number
}

export interface CpuComparison {
  measure(): Promise<CpuRatios>
  close(): Promise<void>
}

export async function startCpuComparison(
  serverUrl: string,
  log: (text: string) => void,
): Promise<CpuComparison> {
  const environment = await openEnvironment(serverUrl)
  const stack = new CleanupStack()
  const close = async (): Promise<void> => {
    await stack.stop()
    await environment.close()
  }
  try {
    const gateway = await installGateway(environment)
    const { measure } = await startSides({ options, environment, gateway, stack })
    return {
      close,
      async measure() {
        await measure.ours(warmUp.ours)
        await measure.bare(warmUp.bare)
        const sides = { ours: () => measure.ours(messages), bare: () => measure.bare(messages) }
        const found = await runRounds(rounds, readHardware().cores, sides, log)
        const [ours, bare] = [summarizeVariant(found.ours), summarizeVariant(found.bare)]
        log(
          `CPU per message, µs: ours ${JSON.stringify(ours.cpuMicros)}, bare ${JSON.stringify(bare.cpuMicros)}`,
        )
        const ofBare = sumOwnCpu('bare', bare)
        return { all: sumOwnCpu('ours', ours) / ofBare, worker: ours.cpuMicros['gateway worker']! / ofBare }
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
