"""
What a better graph of the shipped embedding model could save: CPU of one text on one thread of ONNX Runtime, in turns, for the graph as it ships,
with one product for queries, keys and values, without a mask (texts come one at a time), with GELU by tanh, and for its products of matrices
alone, which no graph of these weights does without. Prints times of the shipped graph and the cosine of each one's vectors with its.
usage: python -m venv V; V/bin/pip install onnx onnxruntime numpy; V/bin/python bench/embedding-graphs.py [MODEL.onnx] [TOKENS 30,100,345]
"""
import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

MODEL = sys.argv[1] if len(sys.argv) > 1 else "data/models/multilingual-e5-small-enzh/onnx/model_quantized.onnx"
LENGTHS = [int(part) for part in (sys.argv[2] if len(sys.argv) > 2 else "30,100,345").split(",")]
ROUNDS = 15
PRODUCT = "DynamicQuantizeMatMul"
WIDTH = 384


def without_mask(model):
    """Attention that is told of no mask may go through its rows in blocks."""
    graph = model.graph
    for node in list(graph.node):
        if node.op_type == "MultiHeadAttention":
            del node.input[3:]
        if node.op_type == "Cast":
            graph.node.remove(node)
    for given in list(graph.input):
        if given.name == "attention_mask":
            graph.input.remove(given)
    return model


def with_one_product(model):
    """Queries, keys and values by one product, so that what comes in is quantised once and not three times."""
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    made = {node.output[0]: node for node in graph.node}
    nodes = []
    for node in graph.node:
        name = node.output[0]
        if node.op_type != PRODUCT or name[-2:] not in (".q", ".k", ".v"):
            nodes.append(node)
            continue
        if name[-2:] != ".q":
            continue
        layer = name[:-2]
        parts = [made[f"{layer}.{part}"] for part in "qkv"]
        inputs = [node.input[0]]
        for place in range(1, 5):
            joined = np.concatenate([numpy_helper.to_array(constants[part.input[place]]) for part in parts], axis=-1)
            inputs.append(f"{layer}.qkv.{place}")
            graph.initializer.append(numpy_helper.from_array(joined, inputs[-1]))
        nodes.append(helper.make_node(PRODUCT, inputs, [f"{layer}.qkv"], domain="com.microsoft"))
        nodes.append(helper.make_node("Split", [f"{layer}.qkv", "thirds"], [part.output[0] for part in parts], axis=2))
    graph.initializer.append(numpy_helper.from_array(np.array([WIDTH] * 3, np.int64), "thirds"))
    return with_nodes(model, nodes)


def with_tanh(model):
    for node in model.graph.node:
        if node.op_type == "Gelu":
            node.op_type = "FastGelu"
    return model


def products_alone(model):
    """Each product of matrices on numbers from outside; nothing between them."""
    graph = model.graph
    products = [node for node in graph.node if node.op_type == PRODUCT]
    width = {tensor.name: tensor.dims[0] for tensor in graph.initializer}
    for node in products:
        node.input[0] = f"in{width[node.input[1]]}"
    del graph.input[:]
    graph.input.extend(
        helper.make_tensor_value_info(f"in{size}", TensorProto.FLOAT, [1, "tokens", size])
        for size in sorted({width[node.input[1]] for node in products})
    )
    del graph.output[:]
    graph.output.extend(helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None) for node in products)
    return with_nodes(model, products)


def with_nodes(model, nodes):
    graph = model.graph
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in nodes for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    return model


def session_of(model):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def inputs_of(session, ids):
    random = np.random.RandomState(1)
    tokens = ids.shape[1]
    known = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
    return {
        given.name: known.get(given.name)
        if given.name in known
        else random.randn(1, tokens, given.shape[2]).astype(np.float32)
        for given in session.get_inputs()
    }


def main():
    load = lambda: onnx.load(MODEL)
    graphs = {
        "as it ships": load(),
        "one product": with_one_product(load()),
        "without mask": without_mask(load()),
        "one product, without mask": with_one_product(without_mask(load())),
        "and GELU by tanh": with_tanh(with_one_product(without_mask(load()))),
        "products of matrices alone": products_alone(load()),
    }
    sessions = {name: session_of(model) for name, model in graphs.items()}
    print(f"onnxruntime {onnxruntime.__version__}")
    for tokens in LENGTHS:
        ids = np.random.RandomState(tokens).randint(5, 100_000, (1, tokens)).astype(np.int64)
        inputs = {name: inputs_of(session, ids) for name, session in sessions.items()}
        least, vectors = dict.fromkeys(sessions, float("inf")), {}
        for _ in range(ROUNDS):
            for name, session in sessions.items():
                before = time.thread_time()
                states = session.run(None, inputs[name])[0]
                least[name] = min(least[name], time.thread_time() - before)
                mean = states[0].mean(0)
                vectors[name] = mean / np.linalg.norm(mean)
        shipped = least["as it ships"]
        for name, seconds in least.items():
            is_whole = name != "products of matrices alone"
            cosine = f", cosine {vectors[name] @ vectors['as it ships']:.4f}" if is_whole else ""
            print(f"{tokens} tokens, {name}: {seconds * 1000:.1f} ms, {shipped / seconds:.2f} times as fast{cosine}")


main()
