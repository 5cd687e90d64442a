/**
 * Which variables and files the options of a route may refer to. Whoever changes routes chooses where a secret is sent: a
 * reference must not name a setting of the gateway, what a setting names, or what shows either. Two settings narrow it down
 * to lists. Called by `secrets.ts` before every reference is resolved, in every process and command.
 */
import { realpathSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ConfigError, environmentName, isGiven, loadSettings, type Config } from '../platform/config.ts'
import { fileOf, UnreadableFileError, variableOf, type Environment } from '../platform/secret-reference.ts'

/** Variables of settings begin with it. */
const ownPrefix = 'POSTERN_'
/** For installations whose variables all have the prefix of the gateway. No setting begins with it. */
const routePrefix = 'POSTERN_ROUTE_SECRET_'

/** Settings whose value is, or may be, a reference to a secret or the file of a private key. */
export const namingSettings = [
  ...(['masterKey', 'previousMasterKey', 'operatorKey', 'adminOidcClientSecret'] as const),
  ...(['brokerKeyFile', 'redisKeyFile', 'httpKeyFile'] as const),
] as const satisfies readonly (keyof Config)[]

/** The clients of PostgreSQL and S3 read these themselves. */
const engineVariables: ReadonlySet<string> = new Set([
  ...['PGPASSWORD', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'],
  'AWS_CONTAINER_AUTHORIZATION_TOKEN',
])
const engineFileVariables = [
  ...['PGPASSFILE', 'AWS_SHARED_CREDENTIALS_FILE', 'AWS_CONFIG_FILE', 'AWS_WEB_IDENTITY_TOKEN_FILE'],
  'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
]

/** They show the variables of processes, or are devices. */
const systemFolders = ['/proc', '/sys', '/dev']
/** Of the person who runs a command: `postern route try` reads what a route names that somebody else has saved. */
const homeFolders = ['.ssh', '.aws', '.kube', '.config/postern']
/** The token of a pod. */
const clusterFolders = ['/run/secrets/kubernetes.io', '/var/run/secrets/kubernetes.io']

/** Throws a ConfigError that says why. `origin` as in `resolveReference`. A text that is no reference is allowed. */
export function requireAllowed(text: string, origin: string, environment: Environment): void {
  const variable = variableOf(text)
  const path = fileOf(text)
  const reason =
    variable !== undefined
      ? refuseVariable(variable, environment)
      : path !== undefined
        ? refuseFile(path, origin, environment)
        : undefined
  if (reason !== undefined)
    throw new ConfigError(
      `${text} is a reference which the options of a route may not use: ${reason}. Give the secret of the carrier a variable or a file of its own`,
    )
}

function refuseVariable(name: string, environment: Environment): string | undefined {
  if (name.startsWith(ownPrefix) && !name.startsWith(routePrefix))
    return `variables that begin with ${ownPrefix} are settings of the gateway, except those that begin with ${routePrefix}`
  if (engineVariables.has(name)) return 'it is for an engine of the gateway'
  const naming = namingSettings.find((setting) => environment[environmentName(setting)] === `env:${name}`)
  if (naming !== undefined) return `${environmentName(naming)} names it`
  if (!isGiven('routeVariables', environment)) return undefined
  const { routeVariables = [] } = loadSettings(['routeVariables'], environment)
  return routeVariables.some((listed) => isListed(name, listed))
    ? undefined
    : `${environmentName('routeVariables')} does not name it`
}

function isListed(name: string, listed: string): boolean {
  return listed.endsWith('*') ? name.startsWith(listed.slice(0, -1)) : name === listed
}

function refuseFile(path: string, origin: string, environment: Environment): string | undefined {
  const given = resolve(path)
  const folders = isGiven('routeFiles', environment)
    ? (loadSettings(['routeFiles'], environment).routeFiles ?? [])
    : undefined
  const outside = `it is not below a folder of ${environmentName('routeFiles')}`
  // By its name first: whether a file exists elsewhere is not told either.
  if (folders !== undefined && !folders.some((folder) => isBelow(given, resolve(folder)))) return outside
  const named = refusePath(given, environment)
  if (named !== undefined) return named
  const real = realPathOf(path)
  // Reading it says so.
  if (real === undefined) return undefined
  if (folders !== undefined && !folders.some((folder) => isBelow(real, realPathOf(folder)))) return outside
  const reason = refusePath(real, environment) ?? refuseNamed(real, environment)
  // A pipe would block the process that reads it.
  if (reason === undefined && !statSync(real).isFile())
    throw new UnreadableFileError(path, 'it is not a file', origin)
  return reason
}

/** By where it is. */
function refusePath(path: string, environment: Environment): string | undefined {
  if (systemFolders.some((folder) => isBelow(path, folder))) return 'it is of the operating system'
  if (clusterFolders.some((folder) => isBelow(path, folder))) return 'it is of the cluster'
  if (path.endsWith('.env')) return 'files that end with .env hold settings'
  const { fileFolder } = loadSettings(['fileFolder'], environment)
  if (isBelow(path, realPathOf(fileFolder) ?? resolve(fileFolder)))
    return `it is in ${environmentName('fileFolder')}`
  return personalFolders(environment).some((folder) => isBelow(path, realPathOf(folder) ?? folder))
    ? 'it is of the person who runs the process'
    : undefined
}

function personalFolders({ HOME: home = '', XDG_CONFIG_HOME: profiles = '' }: Environment): string[] {
  return [
    ...(home === '' ? [] : homeFolders.map((folder) => join(home, folder))),
    ...(profiles === '' ? [] : [join(profiles, 'postern')]),
  ]
}

/** By being the file that a setting names, also under another name. */
function refuseNamed(path: string, environment: Environment): string | undefined {
  return filesOfSettings(environment).find(([, file]) => isSameFile(path, file))?.[0]
}

function filesOfSettings(environment: Environment): [reason: string, path: string][] {
  const named = namingSettings.map((setting): [string, string | undefined] => {
    const value = environment[environmentName(setting)] ?? ''
    return [`${environmentName(setting)} names it`, setting.endsWith('File') ? value : fileOf(value)]
  })
  const database = environment[environmentName('databaseUrl')] ?? ''
  const databaseKey = URL.canParse(database) ? new URL(database).searchParams.get('sslkey') : null
  const home = environment['HOME'] ?? ''
  const engines = [
    ...engineFileVariables.map((name) => environment[name]),
    ...(home === '' ? [] : [join(home, '.pgpass')]),
  ]
  return [
    ...named,
    [`${environmentName('databaseUrl')} names it`, databaseKey ?? undefined] as const,
    ...engines.map((path) => ['it is for an engine of the gateway', path] as const),
  ].flatMap(([reason, path]) =>
    path === undefined || path === '' ? [] : [[reason, path] satisfies [string, string]],
  )
}

function isBelow(path: string, folder: string | undefined): boolean {
  return folder !== undefined && path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function isSameFile(left: string, right: string): boolean {
  try {
    const [one, other] = [statSync(left), statSync(right)]
    return one.dev === other.dev && one.ino === other.ino
  } catch {
    // The one of the setting cannot be reached from here, and so not be read either.
    return false
  }
}
