"""Exam questions: drawn, solved by the reference, put on sheets."""
