"""How the unmodified OpenAI client cancels what it asks of a service of Passim at sys.argv[1], whose model never ends.

A line comes on the input once the model works, and another one once it is let go of. Prints the name of each check that held.
"""

import asyncio
import sys

import openai

MODEL = "scripted"
MESSAGES = [{"role": "user", "content": "What do hotels cost?"}]
INPUT = MESSAGES[0]["content"]


def streams() -> None:
    client = openai.OpenAI(base_url=sys.argv[1], api_key="none")
    with client.chat.completions.create(model=MODEL, messages=MESSAGES, stream=True) as chunks:
        next(chunk for chunk in chunks if chunk.choices[0].delta.content)
        sys.stdin.readline()
    sys.stdin.readline()
    print("a streamed completion", flush=True)
    with client.responses.create(model=MODEL, input=INPUT, stream=True) as events:
        next(event for event in events if event.type == "response.output_text.delta")
        sys.stdin.readline()
    sys.stdin.readline()
    print("a streamed response", flush=True)


async def cancelled(asking) -> None:
    task = asyncio.ensure_future(asking)
    await asyncio.to_thread(sys.stdin.readline)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled(), task
    await asyncio.to_thread(sys.stdin.readline)


async def tasks() -> None:
    async with openai.AsyncOpenAI(base_url=sys.argv[1], api_key="none") as client:
        await cancelled(client.chat.completions.create(model=MODEL, messages=MESSAGES))
        print("a completion", flush=True)
        await cancelled(client.responses.create(model=MODEL, input=INPUT))
        print("a response", flush=True)


streams()
asyncio.run(tasks())
