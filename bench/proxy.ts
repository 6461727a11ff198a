import { type AddressInfo, connect, createServer } from 'node:net'

type Told = {
  /** Bytes on their way to the server. */
  readonly onSent?: (bytes: Buffer) => void
  /** Bytes on their way back. */
  readonly onAnswered?: (bytes: Buffer) => void
}

/** Passes bytes on to a server and tells of them; gives the port of this machine that it listens on. */
export async function startProxy({ hostname, port }: URL, { onSent, onAnswered }: Told): Promise<number> {
  const server = createServer(socket => {
    const inner = connect(Number(port), hostname)
    if (onSent) socket.on('data', onSent)
    if (onAnswered) inner.on('data', onAnswered)
    socket.on('error', () => inner.destroy()).pipe(inner)
    inner.on('error', () => socket.destroy()).pipe(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return (server.address() as AddressInfo).port // it listens on a port
}
