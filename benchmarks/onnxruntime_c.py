"""ONNX Runtime through its C interface with ctypes, and models of one node written byte by byte: no Python package of
ONNX Runtime or ONNX is needed, only libonnxruntime.so, which the npm package onnxruntime-node brings."""
import ctypes
import os

import numpy

# Indices in the function table of the C interface. They never change: the table of each version begins with that of the
# previous version.
GET_ERROR_MESSAGE, CREATE_ENV, CREATE_SESSION_FROM_ARRAY, RUN, CREATE_SESSION_OPTIONS = 2, 3, 8, 9, 10
SET_INTRA_OP_NUM_THREADS, SET_INTER_OP_NUM_THREADS, CREATE_TENSOR_WITH_DATA = 24, 25, 49
GET_TENSOR_MUTABLE_DATA, GET_DIMENSIONS_COUNT, GET_DIMENSIONS, GET_TENSOR_TYPE_AND_SHAPE = 51, 61, 62, 65
CREATE_CPU_MEMORY_INFO, RELEASE_STATUS, RELEASE_VALUE, RELEASE_TYPE_AND_SHAPE = 69, 93, 96, 99

LOGGING_ERROR = 3
ELEMENT_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int64": 7, "bool": 9, "float16": 10}  # TensorProto.DataType


def _varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _message(field, *parts):
    body = b"".join(part.encode() if isinstance(part, str) else part for part in parts)
    return _varint(field << 3 | 2) + _varint(len(body)) + body


def one_node_model(operator, inputs, output_type, attributes, opset=16):
    """ModelProto with one node; shapes are left open. inputs: element types; attributes: integers or lists of them."""
    def value(field, name, element_type):
        return _message(field, _message(1, name), _message(2, _message(1, _number(1, ELEMENT_TYPES[element_type]))))

    names = [f"x{i}" for i in range(len(inputs))]
    node = b"".join(_message(1, name) for name in names) + _message(2, "y") + _message(4, operator)
    for name, number in attributes.items():
        if isinstance(number, list):
            node += _message(5, _message(1, name), *(_number(8, n) for n in number), _number(20, 7))
        else:
            node += _message(5, _message(1, name), _number(3, number), _number(20, 2))
    graph = _message(1, node) + _message(2, "g")
    graph += b"".join(value(11, name, element_type) for name, element_type in zip(names, inputs))
    graph += value(12, "y", output_type)
    return _number(1, 8) + _message(7, graph) + _message(8, _message(1, ""), _number(2, opset))


class OnnxRuntime:
    """One process's ONNX Runtime, sessions with one thread."""

    def __init__(self, library):
        self._library = ctypes.CDLL(library)
        base = self._library.OrtGetApiBase
        base.restype = ctypes.POINTER(ctypes.c_void_p)
        base_functions = base()
        get_api = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint32)(base_functions[0])
        self.version = ctypes.CFUNCTYPE(ctypes.c_char_p)(base_functions[1])().decode()
        self._functions = get_api(16)
        if not self._functions:
            raise OSError(f"{library}: no interface of version 16")
        self._env = self._create(CREATE_ENV, ctypes.c_int(LOGGING_ERROR), ctypes.c_char_p(b"goldml"))
        self._options = self._create(CREATE_SESSION_OPTIONS)
        self._call(SET_INTRA_OP_NUM_THREADS, self._options, ctypes.c_int(1))
        self._call(SET_INTER_OP_NUM_THREADS, self._options, ctypes.c_int(1))
        self._memory = self._create(CREATE_CPU_MEMORY_INFO, ctypes.c_int(0), ctypes.c_int(0))

    def _call(self, place, *arguments):
        function = ctypes.CFUNCTYPE(ctypes.c_void_p, *[type(a) for a in arguments])(self._functions[place])
        self._check(function(*arguments))

    def _check(self, status):
        if status:
            message = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_void_p)(self._functions[GET_ERROR_MESSAGE])(status)
            text = message.decode()
            self._release(RELEASE_STATUS, status)
            raise RuntimeError(text)

    def _create(self, place, *arguments):
        handle = ctypes.c_void_p()
        self._call(place, *arguments, ctypes.pointer(handle))
        return handle

    def _release(self, place, handle):
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._functions[place])(handle)

    def _tensor(self, array):
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        return self._create(CREATE_TENSOR_WITH_DATA, self._memory, ctypes.c_void_p(array.ctypes.data),
                            ctypes.c_size_t(array.nbytes), ctypes.cast(shape, ctypes.c_void_p),
                            ctypes.c_size_t(array.ndim), ctypes.c_int(ELEMENT_TYPES[array.dtype.name]))

    def prepare(self, operator, inputs, output, **attributes):
        """(run, result): run() computes into `output`, or, where it is a dtype, into memory that ONNX Runtime allocates
        and frees; result() runs and returns an array."""
        output_type = output.dtype if isinstance(output, numpy.ndarray) else numpy.dtype(output)
        model = one_node_model(operator, [i.dtype.name for i in inputs], output_type.name, attributes)
        session = self._create(CREATE_SESSION_FROM_ARRAY, self._env, ctypes.c_char_p(model),
                               ctypes.c_size_t(len(model)), self._options)
        names = (ctypes.c_char_p * len(inputs))(*[f"x{i}".encode() for i in range(len(inputs))])
        values = (ctypes.c_void_p * len(inputs))(*[self._tensor(i).value for i in inputs])
        output_names = (ctypes.c_char_p * 1)(b"y")
        owned = isinstance(output, numpy.ndarray)
        result_value = (ctypes.c_void_p * 1)(self._tensor(output).value if owned else None)
        size, pointer = ctypes.c_size_t, ctypes.c_void_p
        function = ctypes.CFUNCTYPE(pointer, pointer, pointer, pointer, pointer, size, pointer, size, pointer)(
            self._functions[RUN])
        arguments = (session, None, ctypes.addressof(names), ctypes.addressof(values), len(inputs),
                     ctypes.addressof(output_names), 1, ctypes.addressof(result_value))

        keep = (inputs, output, names, values, output_names)  # keeps them alive: `arguments` has only their addresses

        def compute(_keep=keep):
            self._check(function(*arguments))

        def free():
            self._release(RELEASE_VALUE, result_value[0])
            result_value[0] = None

        def run():
            compute()
            if not owned:
                free()

        def result():
            compute()
            if owned:
                return output
            array = self._copy_of(ctypes.c_void_p(result_value[0]), output_type)
            free()
            return array

        return run, result

    def _copy_of(self, value, dtype):
        info = self._create(GET_TENSOR_TYPE_AND_SHAPE, value)
        rank = ctypes.c_size_t()
        self._call(GET_DIMENSIONS_COUNT, info, ctypes.pointer(rank))
        shape = (ctypes.c_int64 * rank.value)()
        self._call(GET_DIMENSIONS, info, ctypes.cast(shape, ctypes.c_void_p), rank)
        self._release(RELEASE_TYPE_AND_SHAPE, info)
        count = int(numpy.prod(list(shape)))
        data = self._create(GET_TENSOR_MUTABLE_DATA, value)
        flat = numpy.frombuffer((ctypes.c_char * (count * dtype.itemsize)).from_address(data.value), dtype)
        return flat.reshape(list(shape)).copy()


def find(folder):
    """libonnxruntime.so* for this machine below `folder`; None when there is none."""
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(os.uname().machine, "?")
    for path, _, files in os.walk(folder):
        for file in sorted(files):
            if file.startswith("libonnxruntime.so") and f"/linux/{machine}" in path:
                return os.path.join(path, file)
    return None
