// Third-party parsers of the connectors' output, for `foreign-*.test.ts`: lxml and rcs-pydantic in a Python
// environment, SAAJ and Google's RBM client from Maven Central. `npm run engines -- install --tests` installs
// them once for all checkouts.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { downloadJars } from './maven.ts'
import { shortHash } from '../paths.ts'
import { print, formatElapsed } from '../print.ts'

const packages = [
  ...['lxml==6.1.3', 'rcs-pydantic==2.0.0', 'pydantic==2.14.3', 'pydantic_core==2.50.4'],
  ...['annotated-types==0.8.0', 'typing-inspection==0.4.5', 'typing_extensions==4.16.0'],
]

const jars = [
  [
    'com/sun/xml/messaging/saaj/saaj-impl/3.0.4/saaj-impl-3.0.4.jar',
    'a5e4766febf01e384e1803bc30b658e82403d0fac6f0cfee4edfc1ad1e21a908',
  ],
  [
    'jakarta/xml/soap/jakarta.xml.soap-api/3.0.2/jakarta.xml.soap-api-3.0.2.jar',
    '62ecd5c3b5c107779e5ffe84922594c381f7a8e397320a05c3ee3957b5b7863f',
  ],
  [
    'jakarta/activation/jakarta.activation-api/2.1.3/jakarta.activation-api-2.1.3.jar',
    '01b176d718a169263e78290691fc479977186bcc6b333487325084d6586f4627',
  ],
  [
    'org/eclipse/angus/angus-activation/2.0.2/angus-activation-2.0.2.jar',
    '6dd3bcffc22bce83b07376a0e2e094e4964a3195d4118fb43e380ef35436cc1e',
  ],
  [
    'org/jvnet/staxex/stax-ex/2.1.0/stax-ex-2.1.0.jar',
    '9f786ab52392106a53491bd1ddd8bd9028c95bb280e30387b70d498a8647cf35',
  ],
] as const

/** The folder depends on the versions. */
const folder = `/var/tmp/postern-readers-${shortHash(JSON.stringify([packages, jars]))}`

const rbmProject = join(import.meta.dirname, '../../../gateway/test/foreign/rbm/pom.xml')

export const thirdPartyParsers = {
  /** Python with lxml and rcs-pydantic. */
  python: join(folder, 'python/bin/python'),
  /** Folder of the SAAJ archives. */
  saaj: join(folder, 'saaj'),
  /** Folder of the archives of Google's generated RBM client. */
  rbm: `/var/tmp/postern-readers-rbm-${shortHash(readFileSync(rbmProject, 'utf8'))}`,
} as const

/**
 * Skips a parser that cannot be installed, with its tests, so that an unavailable registry does not stop the
 * others.
 */
export async function installThirdPartyParsers(): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await attempt('lxml and rcs-pydantic', join(folder, 'python'), installPython)
  await attempt('SAAJ', thirdPartyParsers.saaj, (into) => downloadJars(jars, into))
  await attempt('the RBM client of Google', thirdPartyParsers.rbm, installRbm)
}

async function attempt(
  what: string,
  into: string,
  install: (into: string) => Promise<void> | void,
): Promise<void> {
  if (existsSync(into)) return
  const since = performance.now()
  try {
    await install(into)
    print(`installed ${what} in ${into} (${formatElapsed(since)})`)
  } catch (error) {
    // A partial installation would seem complete.
    rmSync(into, { recursive: true, force: true })
    print(`installing ${what} failed; its tests are skipped: ${(error as Error).message}`)
  }
}

function installPython(into: string): void {
  // Installed in place: its programs contain the path of the folder.
  execFileSync('python3', ['-m', 'venv', into], { stdio: ['ignore', 'ignore', 'inherit'] })
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--no-compile',
    '--only-binary=:all:',
  ]
  execFileSync(join(into, 'bin/python'), [...pip, ...packages], { stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Installs the client and its dependencies with Maven. The folder appears only when it is complete. */
function installRbm(into: string): void {
  const fresh = `${into}.new`
  rmSync(fresh, { recursive: true, force: true })
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${fresh}`]
  execFileSync('mvn', ['-q', '-B', '-f', rbmProject, ...goal], { stdio: 'ignore' })
  renameSync(fresh, into)
}
