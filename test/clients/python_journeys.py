"""Runs journeys of a client for Python: a request per line in, its problem or nothing per line out."""

import asyncio
import json
import sys
import traceback

QUESTION = 'What do hotels cost at most?'
ANSWER = 'Hotels cost at most 120 euros a night [1].'
SOURCE = 'hotel.md'
KEY = 'none'


def look_up(place: str) -> str:
    """Looks up a place."""
    calls.append(place)
    return 'open'


calls: list[str] = []
PARAMETERS = {
    'type': 'object',
    'properties': {'place': {'type': 'string'}},
    'required': ['place'],
}


def expect(is_right, said):
    assert is_right, repr(said)[:500]


def expect_call(place, text):
    expect(text == ANSWER, text)
    expect(calls == (['Rome'] if place['mayCall'] else []), calls)


class OpenAIAgents:
    """OpenAI's Agents SDK, over /v1/responses."""

    def __init__(self):
        from agents import set_tracing_disabled

        set_tracing_disabled(True)

    def _open(self, place, *functions):
        from agents import Agent, FileSearchTool, OpenAIResponsesModel
        from openai import AsyncOpenAI

        client = AsyncOpenAI(base_url=f"{place['url']}/v1", api_key=KEY, max_retries=0)
        model = OpenAIResponsesModel(model='thinker', openai_client=client)
        search = FileSearchTool(vector_store_ids=[place['store']])
        return Agent(name='traveller', model=model, tools=[search, *functions])

    async def answer(self, place):
        from agents import Runner

        result = await Runner.run(self._open(place), QUESTION)
        expect(result.final_output == ANSWER, result.final_output)
        expect(SOURCE in repr(result.raw_responses), result.raw_responses)

    async def call(self, place):
        from agents import Runner, function_tool

        result = await Runner.run(self._open(place, function_tool(look_up)), QUESTION)
        expect_call(place, result.final_output)

    async def cut(self, place):
        from agents import Runner

        left = Runner.run_streamed(self._open(place), QUESTION)
        async for event in left.stream_events():
            if getattr(getattr(event, 'data', None), 'type', '') == 'response.output_text.delta':
                break
        left.cancel()
        again = Runner.run_streamed(self._open(place), QUESTION)
        async for _ in again.stream_events():
            pass
        expect(again.final_output == ANSWER, again.final_output)


class PydanticAI:
    """pydantic-ai, over /v1/chat/completions."""

    def _open(self, place, *functions):
        from openai import AsyncOpenAI
        from pydantic_ai import Agent
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        client = AsyncOpenAI(base_url=f"{place['url']}/v1", api_key=KEY, max_retries=0)
        model = OpenAIChatModel(place['store'], provider=OpenAIProvider(openai_client=client))
        return Agent(model, tools=functions, model_settings={'openai_include_raw_annotations': True})

    async def answer(self, place):
        result = await self._open(place).run(QUESTION)
        expect(result.output == ANSWER, result.output)
        expect(SOURCE in repr(result.all_messages()), result.all_messages())

    async def call(self, place):
        expect_call(place, (await self._open(place, look_up).run(QUESTION)).output)

    async def cut(self, place):
        async with self._open(place).run_stream(QUESTION) as left:
            async for text in left.stream_text(delta=True, debounce_by=None):
                if text:
                    break
        async with self._open(place).run_stream(QUESTION) as again:
            text = await again.get_output()
        expect(text == ANSWER, text)


class LlamaIndex:
    """LlamaIndex, over /v1/chat/completions."""

    def _open(self, place):
        from llama_index.llms.openai_like import OpenAILike

        return OpenAILike(
            model=place['store'],
            api_base=f"{place['url']}/v1",
            api_key=KEY,
            is_chat_model=True,
            is_function_calling_model=True,
            max_retries=0,
        )

    def _ask(self):
        from llama_index.core.llms import ChatMessage

        return [ChatMessage(role='user', content=QUESTION)]

    async def answer(self, place):
        response = await self._open(place).achat(self._ask())
        expect(response.message.content == ANSWER, response)
        expect(SOURCE in repr(response.raw), response.raw)

    async def call(self, place):
        from llama_index.core.llms import ChatMessage
        from llama_index.core.tools import FunctionTool

        model, tool, asked = self._open(place), FunctionTool.from_defaults(look_up), self._ask()
        response = await model.achat_with_tools([tool], chat_history=asked)
        for made in model.get_tool_calls_from_response(response, error_on_no_tool_call=False):
            said = tool(**made.tool_kwargs).content
            about = {'tool_call_id': made.tool_id}
            asked += [response.message, ChatMessage(role='tool', content=said, additional_kwargs=about)]
            response = await model.achat_with_tools([tool], chat_history=asked)
        expect_call(place, response.message.content)

    async def cut(self, place):
        stream = await self._open(place).astream_chat(self._ask())
        async for piece in stream:
            if piece.delta:
                break
        await stream.aclose()
        text = ''
        async for piece in await self._open(place).astream_chat(self._ask()):
            text += piece.delta or ''
        expect(text == ANSWER, text)


class Haystack:
    """Haystack, over /v1/chat/completions. Its replies have no annotations, only the marker."""

    def _open(self, place, *tools, streaming_callback=None):
        from haystack.components.generators.chat import OpenAIChatGenerator
        from haystack.utils import Secret

        return OpenAIChatGenerator(
            model=place['store'],
            api_base_url=f"{place['url']}/v1",
            api_key=Secret.from_token(KEY),
            tools=list(tools) or None,
            streaming_callback=streaming_callback,
            max_retries=0,
        )

    def _ask(self):
        from haystack.dataclasses import ChatMessage

        return [ChatMessage.from_user(QUESTION)]

    async def answer(self, place):
        [reply] = self._open(place).run(self._ask())['replies']
        expect(reply.text == ANSWER, reply)

    async def call(self, place):
        from haystack.dataclasses import ChatMessage
        from haystack.tools import Tool

        tool = Tool(
            name='look_up', description='Looks up a place.', parameters=PARAMETERS, function=look_up
        )
        model, asked = self._open(place, tool), self._ask()
        [reply] = model.run(asked)['replies']
        for made in reply.tool_calls:
            result = ChatMessage.from_tool(tool.invoke(**made.arguments), origin=made)
            [reply] = model.run([*asked, reply, result])['replies']
        expect_call(place, reply.text)

    async def cut(self, place):
        class Left(Exception):
            pass

        def leave(chunk):
            if chunk.content:
                raise Left

        try:
            self._open(place, streaming_callback=leave).run(self._ask())
        except Left:
            pass
        pieces = []
        add = lambda chunk: pieces.append(chunk.content)  # noqa: E731
        [reply] = self._open(place, streaming_callback=add).run(self._ask())['replies']
        expect(reply.text == ANSWER == ''.join(pieces), (reply, pieces))


class LiteLLM:
    """LiteLLM, over /v1/chat/completions."""

    async def _complete(self, place, messages, **more):
        import litellm

        return await litellm.acompletion(
            model=f"openai/{place['store']}",
            api_base=f"{place['url']}/v1",
            api_key=KEY,
            max_retries=0,
            messages=messages,
            **more,
        )

    async def answer(self, place):
        [choice] = (await self._complete(place, [{'role': 'user', 'content': QUESTION}])).choices
        expect(choice.message.content == ANSWER, choice)
        expect(SOURCE in repr(choice.message.annotations), choice)

    async def call(self, place):
        tools = [{'type': 'function', 'function': {'name': 'look_up', 'parameters': PARAMETERS}}]
        messages = [{'role': 'user', 'content': QUESTION}]
        message = (await self._complete(place, messages, tools=tools)).choices[0].message
        for made in message.tool_calls or []:
            said = look_up(**json.loads(made.function.arguments))
            result = {'role': 'tool', 'tool_call_id': made.id, 'content': said}
            messages += [message.model_dump(), result]
            message = (await self._complete(place, messages, tools=tools)).choices[0].message
        expect_call(place, message.content)

    async def cut(self, place):
        messages = [{'role': 'user', 'content': QUESTION}]
        left = await self._complete(place, messages, stream=True)
        async for piece in left:
            if piece.choices[0].delta.content:
                break
        await left.aclose()
        text = ''
        async for piece in await self._complete(place, messages, stream=True):
            text += piece.choices[0].delta.content or ''
        expect(text == ANSWER, text)


class LangGraph:
    """LangGraph, over /v1/chat/completions. Its messages have no annotations, only the marker."""

    def _open(self, place, *functions):
        from langchain_openai import ChatOpenAI
        from langgraph.prebuilt import create_react_agent

        model = ChatOpenAI(
            model=place['store'], base_url=f"{place['url']}/v1", api_key=KEY, max_retries=0
        )
        return create_react_agent(model, list(functions))

    def _ask(self):
        return {'messages': [('user', QUESTION)]}

    async def answer(self, place):
        result = await self._open(place).ainvoke(self._ask())
        expect(result['messages'][-1].text == ANSWER, result)

    async def call(self, place):
        result = await self._open(place, look_up).ainvoke(self._ask())
        expect_call(place, result['messages'][-1].text)

    async def cut(self, place):
        left = self._open(place).astream(self._ask(), stream_mode='messages')
        async for piece, _ in left:
            if piece.text:
                break
        await left.aclose()
        text = ''
        async for piece, _ in self._open(place).astream(self._ask(), stream_mode='messages'):
            text += piece.text
        expect(text == ANSWER, text)


class Llm:
    """The program llm, over /v1/chat/completions. Its replies have no annotations, only the marker."""

    def _open(self, place):
        from llm.default_plugins.openai_models import AsyncChat

        return AsyncChat(
            place['store'], key=KEY, api_base=f"{place['url']}/v1", supports_tools=True
        )

    async def answer(self, place):
        text = await self._open(place).prompt(QUESTION, stream=False).text()
        expect(text == ANSWER, text)

    async def call(self, place):
        expect_call(place, await self._open(place).chain(QUESTION, tools=[look_up]).text())

    async def cut(self, place):
        async for piece in self._open(place).prompt(QUESTION):
            if piece:
                break
        text = await self._open(place).prompt(QUESTION).text()
        expect(text == ANSWER, text)


class Instructor:
    """instructor, over /v1/chat/completions. Its replies are objects: they have only the marker."""

    def _open(self, place, mode):
        import instructor
        from openai import AsyncOpenAI

        client = AsyncOpenAI(base_url=f"{place['url']}/v1", api_key=KEY, max_retries=0)
        return instructor.from_openai(client, mode=mode, model=place['store'])

    def _ask(self):
        from pydantic import create_model

        messages = [{'role': 'user', 'content': QUESTION}]
        return {
            'messages': messages,
            'response_model': create_model('Answer', text=(str, ...)),
            'max_retries': 0,
        }

    async def answer(self, place):
        from instructor import Mode

        reply = await self._open(place, Mode.JSON_SCHEMA).create(**self._ask())
        expect(reply.text == ANSWER, reply)

    async def call(self, place):
        from instructor import Mode
        from instructor.core import InstructorRetryException
        from pydantic import create_model

        asked = {**self._ask(), 'response_model': create_model('look_up', place=(str, ...))}
        try:
            made = await self._open(place, Mode.TOOLS).create(**asked)
            expect(place['mayCall'] and made.place == 'Rome', made)
        except InstructorRetryException as error:
            said = error.last_completion.choices[0].message
            expect(not place['mayCall'] and said.content == ANSWER, error)

    async def cut(self, place):
        from instructor import Mode

        client = self._open(place, Mode.JSON_SCHEMA)
        left = client.create_partial(**self._ask())
        async for reply in left:
            if reply.text:
                break
        await left.aclose()
        async for reply in client.create_partial(**self._ask()):
            pass
        expect(reply.text == ANSWER, reply)


class Cohere:
    """Cohere's SDK, over /v2/rerank. Its answers and embeddings are not served."""

    async def rank(self, place):
        from cohere import AsyncClientV2, NotFoundError

        client = AsyncClientV2(KEY, base_url=place['url'])
        texts = ['A taxi is paid.', 'Hotels cost at most 120 euros a night.', 'Lunch is free.']
        ranked = await client.rerank(model='any', query=QUESTION, documents=texts, top_n=1)
        expect([result.index for result in ranked.results] == [1], ranked)
        asked = [{'role': 'user', 'content': QUESTION}]
        for call, instead in [
            (client.embed(model='any', texts=texts, input_type='search_query'), '/v1/embeddings'),
            (client.chat(model='any', messages=asked), '/v1/chat/completions'),
        ]:
            try:
                expect(False, await call)
            except NotFoundError as error:
                expect(instead in repr(error.body), error.body)


class FastMCP:
    """The client of fastmcp, over /mcp."""

    async def _ask(self, place, question, on_progress=None):
        from fastmcp import Client

        address = f"{place['url']}/mcp?collection={place['store']}"
        async with Client(address, progress_handler=on_progress) as client:
            return (await client.call_tool('ask', {'question': question})).structured_content

    async def answer(self, place):
        said = await self._ask(place, QUESTION)
        expect(said['answer'] == ANSWER, said)
        expect(said['citations'][0]['name'] == SOURCE, said)

    async def call(self, place):
        said = await self._ask(place, f'Search: {QUESTION}')
        expect(said['answer'] == ANSWER, said)

    async def cut(self, place):
        has_begun = asyncio.Event()

        async def begin(*_):
            has_begun.set()

        asked = asyncio.create_task(self._ask(place, QUESTION, begin))
        await asyncio.wait_for(has_begun.wait(), 20)
        asked.cancel()
        await asyncio.wait([asked])
        said = await self._ask(place, QUESTION)
        expect(said['answer'] == ANSWER, said)


class CrewAI:
    """CrewAI, over /v1/chat/completions. Its results have no annotations, only the marker."""

    def _open(self, place, *functions, stream=False):
        from crewai import LLM, Agent, Crew, Task
        from crewai.tools import tool

        model = LLM(
            model=place['store'], provider='openai', base_url=f"{place['url']}/v1", api_key=KEY
        )
        about = {'role': 'traveller', 'goal': 'Answer.', 'backstory': 'Travels for work.'}
        agent = Agent(**about, llm=model, tools=[tool(function) for function in functions])
        task = Task(description=QUESTION, expected_output='A sentence.', agent=agent)
        return Crew(agents=[agent], tasks=[task], stream=stream)

    async def answer(self, place):
        result = await self._open(place).akickoff()
        expect(result.raw == ANSWER, result)

    async def call(self, place):
        expect_call(place, (await self._open(place, look_up).akickoff()).raw)

    async def cut(self, place):
        left = await self._open(place, stream=True).akickoff()
        async for piece in left:
            if piece.content:
                break
        await left.aclose()
        again = await self._open(place, stream=True).akickoff()
        text = ''
        async for piece in again:
            text += piece.content
        expect(text == again.result.raw == ANSWER, text)


CLIENTS = {
    'openai-agents': OpenAIAgents,
    'pydantic-ai': PydanticAI,
    'llama-index': LlamaIndex,
    'haystack': Haystack,
    'litellm': LiteLLM,
    'langgraph': LangGraph,
    'llm': Llm,
    'instructor': Instructor,
    'cohere': Cohere,
    'fastmcp': FastMCP,
    'crewai': CrewAI,
}


async def main():
    client = CLIENTS[sys.argv[1]]()
    for line in sys.stdin:
        request = json.loads(line)
        calls.clear()
        try:
            await getattr(client, request['journey'])(request)
            problem = None
        except Exception as error:
            traceback.print_exc()
            problem = f'{type(error).__name__}: {error}'
        print(json.dumps({'problem': problem}), flush=True)


asyncio.run(main())
