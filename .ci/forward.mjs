// usage: node forward.mjs FROM TO - each a port of 127.0.0.1, or the path of a socket, which reaches from one network namespace to another
import { connect, createServer } from 'node:net'

const placeOf = text => (/^\d+$/.test(text) ? { port: Number(text), host: '127.0.0.1' } : { path: text })
const [from, to] = process.argv.slice(2).map(placeOf)
createServer(socket => {
  const other = connect(to)
  socket.pipe(other).pipe(socket)
  for (const one of [socket, other]) {
    one.on('error', () => {
      socket.destroy()
      other.destroy()
    })
  }
}).listen(from)
