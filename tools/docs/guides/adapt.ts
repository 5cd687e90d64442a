/**
 * Replaces example URLs and ports of a page with those of this run. If the packages are installed, removes
 * the line that installs them.
 */

/** Settings of a page that readers replace with their own. */
const examples = /^export (POSTERN_(?:DATABASE_URL|BROKER_URLS|REDIS_URL)|POSTERN|RECEIVER_PORT)=.*$/gm

export function adaptTo(
  environment: NodeJS.ProcessEnv,
  { installed }: { readonly installed: boolean },
): (code: string) => string {
  return (code) => {
    const withUrls = code.replaceAll(examples, (_line, name: string) =>
      name === 'POSTERN'
        ? `export POSTERN=http://127.0.0.1:${environment.POSTERN_HTTP_PORT}`
        : `export ${name}='${environment[name]}'`,
    )
    return installed ? withUrls.replaceAll(/^npm (?:install|ci)$/gm, ':') : withUrls
  }
}
