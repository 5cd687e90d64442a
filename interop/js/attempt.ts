/** Runs one operation of the SDK and prints its outcome. A failed operation does not stop the others. */
import { printOutcome } from '../outcome.ts'

interface Refusal {
  /** Only if something was sent. */
  readonly request?: unknown
  readonly response?: { readonly status: number; readonly data?: { code?: string; result?: string } }
}

/** In answers to an operation that does not exist, in contrast to one that was refused. */
const notOffered = ['no such path', "unknown field 'messageForm'"]

/** The value, or undefined when it failed. */
export async function attempt<T>(operation: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    const value = await run()
    printOutcome({ operation, result: 'ok', reason: '' })
    return value
  } catch (error) {
    const reason = reasonOf(error)
    const missing = notOffered.some((words) => reason.includes(words))
    printOutcome({ operation, result: missing ? 'missing' : 'failed', reason })
    return undefined
  }
}

/**
 * For operations that the SDK itself rejects before it sends anything: a fault of the SDK. If it works now, that is
 * ok.
 */
export async function attemptFaulty(operation: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
    printOutcome({ operation, result: 'ok', reason: '' })
  } catch (error) {
    const { request, response } = error as Refusal
    const sent = request !== undefined || response !== undefined
    printOutcome({ operation, result: sent ? 'failed' : 'fault', reason: reasonOf(error) })
  }
}

function reasonOf(error: unknown): string {
  const { response } = error as Refusal
  if (response === undefined) return (error as Error).message
  const { code = '', result = '' } = response.data ?? {}
  return `HTTP ${response.status} ${code} ${result}`
}

export function must(condition: boolean, what: string): void {
  if (!condition) throw new Error(what)
}
