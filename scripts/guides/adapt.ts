/**
 * What a page can only give as an example is replaced by what this run has: URLs and ports. With the packages already
 * installed, the line that installs them is left out. Pure.
 */

/** Settings of a page that a reader replaces by his own. */
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
