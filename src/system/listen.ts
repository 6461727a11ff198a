import type { Server } from 'node:http'
import { localizable } from '../errors/localizable.ts'
import { AppError } from '../errors.ts'

/** Throws `conflict` if it cannot listen, as if another program uses the port. */
export async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, host, resolve),
    )
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const message = localizable`Cannot listen on ${host}, port ${port}: ${reason}.`
    const advice = 'Choose another port with --port.'
    throw new AppError('conflict', message, { cause: error, advice })
  }
}
