// Downloads Java archives from Maven Central and checks them by SHA-256.

import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Path at Maven Central, and SHA-256. */
export type Jar = readonly [path: string, sha256: string]

const maven = 'https://repo1.maven.org/maven2'
const maxAttempts = 3
const downloadTimeoutMs = 20_000

/** The folder appears only when it is complete, so a killed run leaves no partial installation. */
export async function downloadJars(
  jars: readonly Jar[],
  into: string,
  timeoutMs = downloadTimeoutMs,
): Promise<void> {
  const fresh = `${into}.new`
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(dirname(into), { recursive: true })
  mkdirSync(fresh)
  await Promise.all(
    jars.map(async ([path, sha256]) => {
      const octets = await download(`${maven}/${path}`, timeoutMs)
      if (createHash('sha256').update(octets).digest('hex') !== sha256)
        throw new Error(`${maven}/${path} does not match SHA-256 ${sha256}`)
      writeFileSync(join(fresh, path.slice(path.lastIndexOf('/') + 1)), octets)
    }),
  )
  renameSync(fresh, into)
}

async function download(url: string, timeoutMs: number): Promise<Buffer> {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) })
      if (!response.ok) throw new Error(`HTTP status ${response.status}`)
      return Buffer.from(await response.arrayBuffer())
    } catch (error) {
      if (attempt === maxAttempts) throw new Error(`${url}: ${(error as Error).message}`, { cause: error })
    }
  }
}
