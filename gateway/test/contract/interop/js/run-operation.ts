import { printSdkOutcome } from '../outcome.ts'

interface SdkError {
  /** Present if a request was sent. */
  readonly request?: unknown
  readonly response?: { readonly status: number; readonly data?: { code?: string; result?: string } }
}

/** Error texts of operations that the gateway does not offer. */
const notOffered = ['no such path', "unknown field 'messageForm'"]

/** Runs an SDK operation and prints its outcome. Returns undefined if it failed, so that the others run. */
export async function runOperation<T>(operation: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    const value = await run()
    printSdkOutcome({ operation, result: 'ok', reason: '' })
    return value
  } catch (error) {
    const reason = formatReason(error)
    const missing = notOffered.some((words) => reason.includes(words))
    printSdkOutcome({ operation, result: missing ? 'missing' : 'failed', reason })
    return undefined
  }
}

/** Runs an operation that the SDK is known to reject before sending a request. Success counts as ok. */
export async function runFaultyOperation(operation: string, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
    printSdkOutcome({ operation, result: 'ok', reason: '' })
  } catch (error) {
    const { request, response } = error as SdkError
    const sent = request !== undefined || response !== undefined
    printSdkOutcome({ operation, result: sent ? 'failed' : 'fault', reason: formatReason(error) })
  }
}

function formatReason(error: unknown): string {
  const { response } = error as SdkError
  if (response === undefined) return (error as Error).message
  const { code = '', result = '' } = response.data ?? {}
  return `HTTP ${response.status} ${code} ${result}`
}

export function assertThat(condition: boolean, message: string): void {
  if (!condition) throw new Error(message)
}
