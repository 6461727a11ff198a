/** A setting of the environment without which a peer cannot be asked. */
export function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Set ${name}: docs/proof.md says to what.`)
  return value
}
