/** Signs and verifies a file with a key that exists only during the dry run: it shows the form, not an identity. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function signAndVerify(file: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'postern-sign-'))
  const key = join(folder, 'key')
  const signer = 'dry-run'
  const run = (args: readonly string[], input?: Buffer): string =>
    execFileSync('ssh-keygen', args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] })
  try {
    run(['-q', '-t', 'ed25519', '-N', '', '-C', signer, '-f', key])
    run(['-Y', 'sign', '-n', 'file', '-f', key, file])
    writeFileSync(join(folder, 'signers'), `${signer} ${readFileSync(`${key}.pub`, 'utf8')}`)
    const verify = [
      '-Y',
      'verify',
      '-n',
      'file',
      '-I',
      signer,
      '-f',
      join(folder, 'signers'),
      '-s',
      `${file}.sig`,
    ]
    return run(verify, readFileSync(file)).trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
