/** Runs a command line in the test process and returns its output. */
import { run } from '../../src/cli/run.ts'

export interface CapturedOutput {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Prevents a sign-in of the user who runs the tests from being used. */
const noProfile = { XDG_CONFIG_HOME: '/nonexistent', POSTERN_ADMIN_URL: '' }

/** `environment` is added to the environment of the process during the run, so runs must not overlap. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<CapturedOutput> {
  const before = { ...process.env }
  let stdout = ''
  let stderr = ''
  Object.assign(process.env, noProfile, environment)
  try {
    const exitCode = await run(args, {
      out: (text) => void (stdout += text),
      err: (text) => void (stderr += text),
    })
    return { exitCode, stdout, stderr }
  } finally {
    for (const name of Object.keys(process.env))
      if (!(name in before)) Reflect.deleteProperty(process.env, name)
    Object.assign(process.env, before)
  }
}
